/* model.js - what the page knows: steps, threads, and the state at each step, which is put
 * together from what changed at each. */

const data = JSON.parse(document.getElementById("data").textContent);
const steps = data.steps || [];
const threads = data.threads || [];
const replay = data.replay || null;
const place_of = (step) => step.at ? { name: step.at[0], file: step.at[1], line: step.at[2] } : null;

/* Threads have colours by their place among all that did something. */
const lanes = [...new Set(steps.map((step) => step.thread))].sort((a, b) => a - b);
const lane_of = new Map(lanes.map((thread, k) => [thread, k]));
const color_of = (thread) => `var(--thread-${(lane_of.get(thread) ?? 0) % 8})`;

function thread_name(thread) {
  const known = threads.find((one) => one.id === thread);
  return known ? known.name : `thread ${thread}`;
}

/* ---- states: computed up to where they are asked for ------------------------------------- */

const nothing = { stacks: {}, objects: {}, freed: {}, cut: 0 };
const states = [];

function apply(state, moment) {
  const stacks = { ...state.stacks }, objects = { ...state.objects }, freed = { ...state.freed };
  for (const [thread, stack] of Object.entries(moment.stacks))
    if (stack) stacks[thread] = stack; else delete stacks[thread];
  for (const [key, object] of Object.entries(moment.objects)) {
    if (object) {
      objects[key] = object;
      delete freed[key];
      continue;
    }
    if (objects[key] && objects[key].kind === "heap") freed[key] = objects[key];
    delete objects[key];
  }
  return { stacks, objects, freed, cut: moment.cut };
}

function state_at(k) {
  if (!replay || k < replay.first) return nothing;
  const at = k - replay.first;
  while (states.length <= at && states.length < replay.moments.length)
    states.push(apply(states.length ? states[states.length - 1] : nothing,
                      replay.moments[states.length]));
  return states[Math.min(at, states.length - 1)] || nothing;
}

const object_name = (key) => (replay && replay.names[key]) || "object";

/* The parts of an object that are not what they were a step before: path -> old value. */
function changed_parts(k, key) {
  const now = state_at(k).objects[key], was = k > 0 ? state_at(k - 1).objects[key] : null;
  const changes = new Map();
  if (!now || now === was || k === (replay ? replay.first : 0)) return changes;
  const old = new Map((was ? was.parts : []).map((part) => [part[0], part[3]]));
  for (const [path, , , value] of now.parts)
    if (!was || JSON.stringify(old.get(path)) !== JSON.stringify(value))
      changes.set(path, was ? old.get(path) : undefined);
  return changes;
}

/* "[2].next" behind a name is "name[2].next", "next" is "name.next". */
const join_path = (name, path) => !path ? name : path[0] === "[" ? name + path : `${name}.${path}`;

/* What an address is called: the object, or the part of it that begins there. */
function target_text(state, [key, offset]) {
  const object = state.objects[key] || state.freed[key], name = object_name(key);
  const gone = !state.objects[key];
  if (!object && !(replay && replay.names[key])) return "freed memory";
  if (!object || (offset === 0 && object.kind === "heap")) return name + (gone ? " (freed)" : "");
  const part = object.parts.find((one) => one[2] === offset);
  const element = part ? part[0].match(/^\[\d+\]/) : null;
  const path = element ? element[0] : part && offset ? part[0] : "";
  const text = part || !offset ? join_path(name, path) : `${name} + ${offset}`;
  return `&${text}${gone ? " (freed)" : ""}`;
}

function value_text(state, value) {
  if (value === undefined || value === null) return "";
  return Array.isArray(value) ? target_text(state, value) : value;
}

/* ---- locks --------------------------------------------------------------------------------- */

const takes = new Set(["lock", "read lock", "write lock", "wake up"]);
const gives = new Set(["unlock", "rwlock unlock"]);

/* Who holds which lock at a step, by name. */
function holders(k) {
  const held = new Map();
  for (let i = 0; i <= k && i < steps.length; i++) {
    const step = steps[i];
    if (step.kind !== "action" || !step.object) continue;
    if (takes.has(step.action)) held.set(step.object, step.thread);
    else if (gives.has(step.action)) held.delete(step.object);
    else if (step.action === "wait" || step.action === "timedwait")
      for (const [name, thread] of held) if (thread === step.thread) held.delete(name);
  }
  return held;
}

/* ---- elements ------------------------------------------------------------------------------ */

function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {}))
    if (value !== undefined && value !== null && value !== false) node.setAttribute(name, value);
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

function svg(tag, attributes, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes || {})) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

const by_id = (id) => document.getElementById(id);
const base_name = (path) => path.slice(path.lastIndexOf("/") + 1);
