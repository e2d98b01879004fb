/* variables.js - the variables at a step: those of its thread's functions, global ones, and the
 * other threads'.  What the step has changed is marked, with what it was before. */

const MAX_ROWS = 400;
const table = { k: 0, state: nothing, before: nothing, held: new Map(), rows: 0, cut: 0 };

/* Global variables that have another value at some step. */
const changing = new Set();
function find_changing() {
  (replay ? replay.moments.slice(1) : []).forEach((moment) =>
    Object.entries(moment.objects).forEach(([key, object]) => {
      if (object && object.kind === "global") changing.add(key);
    }));
}

const is_lock = (type) => /mutex|mtx_t|rwlock|spinlock/.test(type);

function hidden_value(name, type) {
  if (!is_lock(type)) return "…";
  const holder = table.held.get(name);
  return holder === undefined ? "free" : `held by thread ${holder}`;
}

function variable_row(name, path, type, value, change) {
  if (table.rows >= MAX_ROWS) {
    table.cut++;
    return [];
  }
  table.rows++;
  const full = join_path(name, path);
  const text = value === null ? hidden_value(full, type) : value_text(table.state, value);
  const cell = el("td", { class: `value${text === "?" ? " unset" : ""}` });
  if (change && change.old !== undefined && change.old !== null)
    cell.append(el("del", {}, value_text(table.before, change.old)), " ");
  cell.append(el(change ? "ins" : "span", {}, text === "?" ? "not set" : text));
  return [el("tr", { class: change ? "changed" : "", "data-name": full },
             el("th", { scope: "row", class: path && path !== name ? "part" : "" }, path || name),
             cell, el("td", { class: "type", title: type }, type))];
}

function object_rows(key, name) {
  const object = table.state.objects[key];
  if (!object) return [];
  const changes = changed_parts(table.k, key);
  const change = (path) => changes.has(path) ? { old: changes.get(path) } : null;
  if (object.parts.length === 1 && object.parts[0][0] === "" && !object.cut)
    return variable_row(name, "", object.parts[0][1] || object.type, object.parts[0][3], change(""));
  const rows = [el("tr", { class: "whole" }, el("th", { scope: "row", colspan: 2 }, name),
                   el("td", { class: "type", title: object.type }, object.type))];
  for (const [path, type, , value] of object.parts)
    rows.push(...variable_row(name, path, type, value, change(path)));
  if (object.cut)
    rows.push(el("tr", {}, el("td", { colspan: 3, class: "note" }, `… ${object.cut} more`)));
  return rows;
}

/* In a register: what it was a step before is looked for in the same function. */
function register_rows(thread, depth, [, name, type, value]) {
  const was = (table.before.stacks[thread] || []).slice(-depth)[0];
  const now = (table.state.stacks[thread] || []).slice(-depth)[0];
  const old = was && now && was[0] === now[0] ? was[3].find((one) => !one[0] && one[1] === name)
    : undefined;
  const changed = table.k > 0 && JSON.stringify(old && old[3]) !== JSON.stringify(value);
  return variable_row(name, "", type, value, changed ? { old: old && old[3] } : null);
}

function frame_rows(thread, stack, n) {
  const frame = stack[n];
  const rows = frame[3].flatMap((variable) => variable[0] ? object_rows(variable[0], variable[1])
    : register_rows(thread, stack.length - n, variable));
  return [el("tr", { class: "frame" }, el("th", { colspan: 3, scope: "rowgroup" },
    el("span", { class: "function" }, frame[0]), el("span", { class: "where" }, ` line ${frame[2]}`))),
    ...rows.length ? rows : [el("tr", {}, el("td", { colspan: 3, class: "note" }, "no variables"))]];
}

function thread_rows(thread) {
  const stack = table.state.stacks[thread] || [];
  return stack.flatMap((frame, n) => frame_rows(thread, stack, n));
}

function group(title, rows, attributes, color) {
  if (!rows.length) return [];
  const summary = el("summary", color ? { style: `--color:${color}` } : {}, title);
  return [el("details", attributes, summary, el("table", {}, el("tbody", {}, ...rows)))];
}

const opened = new Map();

function draw_variables(k) {
  const own = steps[k].thread;
  Object.assign(table, { k, state: state_at(k), before: k > 0 ? state_at(k - 1) : nothing,
                         held: holders(k), rows: 0, cut: 0 });
  const globals = Object.entries(table.state.objects).filter(([, object]) => object.kind === "global");
  const list = (wanted) => globals.filter(([key]) => changing.has(key) === wanted)
    .flatMap(([key]) => object_rows(key, object_name(key)));
  const open = (name, start) => (opened.has(name) ? opened.get(name) : start) ? "" : null;
  const parts = [
    ...group(thread_name(own), thread_rows(own), { open: "", "data-group": "own" }, color_of(own)),
    ...group("Global variables", list(true), { open: open("globals", true), "data-group": "globals" }),
    ...Object.keys(table.state.stacks).map(Number).filter((thread) => thread !== own)
      .flatMap((thread) => group(thread_name(thread), thread_rows(thread),
        { open: open(`thread ${thread}`, false), "data-group": `thread ${thread}` }, color_of(thread))),
    ...group("Global variables that do not change", list(false),
             { open: open("constant", changing.size === 0), "data-group": "constant" }),
  ];
  if (replay && k >= replay.first && !(table.state.stacks[own] || []).length)
    parts.unshift(el("p", { class: "notice" }, `${thread_name(own)} has left its functions.`));
  if (table.cut) parts.push(el("p", { class: "notice" }, `${table.cut} more values are not shown.`));
  if (!parts.length)
    parts.push(el("p", { class: "notice" }, replay ? k < replay.first
      ? `Variables are known for the last ${replay.moments.length} steps only.`
      : "No variables here." : "The variables were not recorded."));
  by_id("variables").replaceChildren(...parts);
}
