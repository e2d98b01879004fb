/* memory.js - the objects at a step as a graph: boxes with their members, arrows for pointers.
 *
 * Boxes stand in columns by the longest way that leads to them from a variable, where pointers
 * back (by their names: prev, parent, tail ...) count last: so a list reads as a list. */

const MAX_BOXES = 60, MAX_MEMBERS = 12;
const CHAR = 7.2, LINE = 19, HEAD = 24, GAP_X = 56, GAP_Y = 18, PAD = 10;
const weak_names = /(^|[^a-z])(prev|previous|parent|back|tail|last|end|owner|up)/i;

/* ---- which boxes ------------------------------------------------------------------------------ */

/* An array of structures becomes one box for each. */
function split(key, object, name, freed) {
  const groups = new Map();
  for (const part of object.parts) {
    const element = part[0].match(/^(\[\d+\])(.+)$/);
    const label = element ? element[1] : "";
    if (!groups.has(label)) groups.set(label, []);
    groups.get(label).push(element ? [part[0], part[1], part[2], part[3], part[0].slice(label.length)
      .replace(/^\./, "")] : [...part, part[0]]);
  }
  if (groups.size > 24 || (groups.has("") && groups.size > 1)) {
    groups.clear();
    groups.set("", object.parts.map((part) => [...part, part[0]]));
  }
  return [...groups].map(([label, parts]) => ({
    id: key + label, key, name: name + label, parts, freed, kind: object.kind,
    type: label ? "" : object.type, from: parts.length ? parts[0][2] : 0, cut: object.cut || 0,
    to: parts.length ? parts[parts.length - 1][2] + 1 : 1, size: object.size,
  }));
}

function register_boxes(state) {
  const boxes = [];
  for (const [thread, stack] of Object.entries(state.stacks))
    stack.forEach((frame, n) => frame[3].forEach(([key, name, type, value]) => {
      if (key || !Array.isArray(value)) return;
      boxes.push({ id: `${thread}/${stack.length - n}/${name}`, key: null, name, type,
                   parts: [["", type, 0, value, ""]], kind: "local", thread: Number(thread), from: 0,
                   to: 1, cut: 0, size: 8, register: true });
    }));
  return boxes;
}

/* The thread and function that a local variable belongs to. */
function owners(state) {
  const owner = new Map();
  for (const [thread, stack] of Object.entries(state.stacks))
    for (const frame of stack)
      for (const [key] of frame[3]) if (key) owner.set(key, Number(thread));
  return owner;
}

function list_boxes(state) {
  const boxes = [], owner = owners(state);
  for (const [key, object] of Object.entries(state.objects))
    boxes.push(...split(key, object, object_name(key), false)
      .map((box) => ({ ...box, thread: owner.get(key) })));
  for (const [key, object] of Object.entries(state.freed))
    boxes.push(...split(key, object, object_name(key), true));
  return [...boxes, ...register_boxes(state)];
}

function find_target(by_key, [key, offset]) {
  const list = by_key.get(key) || [];
  return list.find((box) => offset >= box.from && offset < box.to) || list[list.length - 1];
}

function list_edges(boxes) {
  const by_key = new Map();
  for (const box of boxes)
    if (box.key) by_key.set(box.key, [...(by_key.get(box.key) || []), box]);
  const edges = [];
  for (const box of boxes)
    box.parts.forEach((part, row) => {
      const to = Array.isArray(part[3]) ? find_target(by_key, part[3]) : null;
      if (to) edges.push({ from: box, to, row, path: part[0], offset: part[3][1],
                           weak: weak_names.test(part[4] || box.name), freed: to.freed });
    });
  return edges;
}

/* Heap objects, and variables that have to do with pointers; of what is freed, what is still
 * pointed to, and what the error is about. */
function choose_boxes(state, k) {
  const boxes = list_boxes(state), edges = list_edges(boxes);
  const from = new Set(edges.map((edge) => edge.from)), to = new Set(edges.map((edge) => edge.to));
  const text = steps[k].text;
  const shown = boxes.filter((box) => box.freed ? to.has(box) || text.includes(box.name)
    : box.kind === "heap" || to.has(box) || (from.has(box) && !box.freed));
  const kept = new Set(shown.slice(0, MAX_BOXES));
  return { boxes: [...kept], cut: shown.length - kept.size,
           edges: edges.filter((edge) => kept.has(edge.from) && kept.has(edge.to)) };
}

/* ---- where they stand ------------------------------------------------------------------------- */

/* Depth first from each box; an edge to a box that is on the way there leads back. */
function layer(boxes, edges) {
  const out = new Map(boxes.map((box) => [box, []]));
  const strong = [...edges].sort((a, b) => a.weak - b.weak);
  for (const edge of strong) if (edge.from !== edge.to) out.get(edge.from).push(edge);
  const state = new Map(), order = [];
  const visit = (box) => {
    state.set(box, "open");
    for (const edge of out.get(box)) {
      if (state.get(edge.to) === "open") edge.back = true;
      else if (!state.has(edge.to)) visit(edge.to);
    }
    state.set(box, "done");
    order.push(box);
  };
  const incoming = new Set(edges.filter((edge) => !edge.weak && edge.from !== edge.to).map((edge) => edge.to));
  const rank = (box) => (box.kind === "heap" || box.register ? 2 : 0) + (incoming.has(box) ? 1 : 0) +
    (weak_names.test(box.name) ? 0.5 : 0);
  for (const box of [...boxes].sort((a, b) => rank(a) - rank(b))) if (!state.has(box)) visit(box);
  for (const box of boxes) box.column = 0;
  for (const box of order.reverse())
    for (const edge of out.get(box))
      if (!edge.back) edge.to.column = Math.max(edge.to.column, box.column + 1);
  /* A variable stands in front of what it points to. */
  for (const box of boxes) {
    const next = out.get(box).filter((edge) => !edge.back).map((edge) => edge.to.column);
    if (box.kind !== "heap" && !incoming.has(box) && next.length) box.column = Math.min(...next) - 1;
  }
  return order;
}

function box_size(box) {
  const rows = box.parts.slice(0, MAX_MEMBERS);
  const label = box.title.length + (box.type ? box.type.length + 2 : box.freed ? 7 : 0);
  const widest = Math.max(label, ...rows.map((row) => row.label.length + row.text.length + 3));
  box.width = Math.min(320, Math.max(70, widest * CHAR + 2 * PAD));
  box.rows = rows;
  box.more = box.parts.length - rows.length + box.cut;
  box.single = rows.length === 1 && rows[0].label === "";
  box.height = box.single ? HEAD + 2 : HEAD + rows.length * LINE + (box.more ? LINE : 0) + 6;
}

function describe(box, state) {
  box.title = box.name + (box.thread && box.kind === "local" ? ` · thread ${box.thread}` : "");
  if (box.freed || /^(std::__|$)/.test(box.type) || box.title.length + box.type.length > 34) box.type = "";
  box.parts.forEach((part) => {
    part.label = part[4];
    part.text = Array.isArray(part[3]) ? "" : part[3] === null ? "…" : part[3];
    if (part.text.length > 26) part.text = `${part.text.slice(0, 25)}…`;
    if (part.label.length > 22) part.label = `…${part.label.slice(-21)}`;
  });
  box_size(box, state);
}

/* In a column, a box stands where what leads to it stands, or below what is there already. */
function place(order, edges) {
  const columns = Math.max(0, ...order.map((box) => box.column)) + 1;
  const width = Array(columns).fill(0), free = Array(columns).fill(PAD);
  for (const box of order) width[box.column] = Math.max(width[box.column], box.width);
  const x = width.map((_, k) => PAD + width.slice(0, k).reduce((sum, one) => sum + one + GAP_X, 0));
  const by_column = [...order].sort((a, b) => a.column - b.column);
  for (const box of by_column) {
    const above = edges.filter((edge) => edge.to === box && edge.from.y !== undefined && !edge.back)
      .map((edge) => edge.from.y);
    box.x = x[box.column];
    box.y = Math.max(free[box.column], above.length ? Math.min(...above) : 0);
    free[box.column] = box.y + box.height + GAP_Y;
  }
  return { width: x[columns - 1] + width[columns - 1] + PAD + 30, height: Math.max(...free) + PAD };
}

/* ---- drawing ----------------------------------------------------------------------------------- */

const row_middle = (box, row) => box.single ? box.y + box.height / 2
  : box.y + HEAD + Math.min(row, MAX_MEMBERS) * LINE + LINE / 2;

function draw_edge(edge) {
  const { from, to } = edge, row = Math.min(edge.row, MAX_MEMBERS - 1);
  const x1 = from.x + from.width - 9, y1 = row_middle(from, row);
  const part = to.rows.findIndex((one) => one[2] === edge.offset);
  const y2 = part > 0 && !to.single ? row_middle(to, part) : to.y + HEAD / 2;
  const forward = to.x > from.x + from.width / 2;
  const reach = forward ? Math.max(24, (to.x - x1) / 2) : 46;
  const x2 = forward ? to.x - 3 : to.x + to.width + 3;
  const path = forward ? `M${x1} ${y1}C${x1 + reach} ${y1} ${x2 - reach} ${y2} ${x2} ${y2}`
    : `M${x1} ${y1}C${from.x + from.width + reach} ${y1} ${to.x + to.width + reach} ${y2} ${x2} ${y2}`;
  const kind = `${edge.freed ? " freed" : ""}${edge.changed ? " changed" : ""}${edge.weak ? " weak" : ""}`;
  return [svg("path", { class: `pointer${kind}`, d: path, "marker-end": `url(#head-pointer${
            edge.freed ? "-freed" : edge.changed ? "-changed" : ""})`,
            "data-from": join_path(from.name, edge.path && from.key ? edge.path.replace(/^\[\d+\]\.?/, "") : ""),
            "data-to": to.name }),
          svg("circle", { class: `tip${kind}`, cx: x1, cy: y1, r: 3 })];
}

function draw_row(box, part, n, changes) {
  const y = row_middle(box, n) + 4.5, changed = changes.has(part[0]);
  const marks = [];
  if (changed)
    marks.push(svg("rect", { class: "mark", x: 1, y: y - box.y - 14.5, width: box.width - 2, height: LINE }));
  const label = svg("text", { class: "member", x: PAD, y: y - box.y }, part.label);
  const value = svg("text", { class: `content${part[3] === "NULL" ? " null" : ""}${part[3] === "?" ? " unset" : ""}`,
                              x: box.width - PAD, y: y - box.y, "text-anchor": "end" },
                    part[3] === "?" ? "not set" : part.text);
  return [...marks, label, value];
}

function draw_box(box, k) {
  const changes = box.key && !box.freed ? changed_parts(k, box.key) : new Map();
  const fresh = box.key && k > 0 && !box.freed && box.kind === "heap" && !state_at(k - 1).objects[box.key];
  const kind = `box ${box.kind}${box.freed ? " freed" : ""}${fresh ? " fresh" : ""}`;
  const color = box.thread ? `--color:${color_of(box.thread)}` : "";
  const group = svg("g", { class: kind, style: `transform:translate(${box.x}px,${box.y}px);${color}`,
                           "data-object": box.name });
  const words = box.parts.map((part) => `${part[4]} ${part[3]}`).join(", ");
  group.append(svg("title", {}, `${box.name}${box.type ? ` (${box.type})` : ""}, ${box.size} bytes: ${words}`),
               svg("rect", { class: "frame", width: box.width, height: box.height, rx: 6 }));
  if (box.single && changes.size)
    group.append(svg("rect", { class: "mark", x: 1, y: 1, width: box.width - 2, height: box.height - 2, rx: 5 }));
  const title = svg("text", { class: "name", x: PAD, y: 16.5 }, box.title);
  if (box.type && !box.single) title.append(svg("tspan", { class: "type", dx: 7 }, box.type));
  group.append(title);
  if (box.freed) group.append(svg("text", { class: "gone", x: box.width - PAD, y: 16.5, "text-anchor": "end" }, "freed"));
  if (box.single && box.rows[0].text)
    group.append(svg("text", { class: "content", x: box.width - PAD, y: 16.5, "text-anchor": "end" }, box.rows[0].text));
  if (!box.single) {
    group.append(svg("line", { class: "rule", x1: 0, x2: box.width, y1: HEAD, y2: HEAD }));
    box.rows.forEach((part, n) => group.append(...draw_row(box, part, n, changes)));
    if (box.more)
      group.append(svg("text", { class: "member", x: PAD, y: box.height - 8 }, `… ${box.more} more`));
  }
  return group;
}

function head_marker(name) {
  return svg("marker", { id: `head-pointer${name}`, class: `head${name}`, viewBox: "0 0 8 8", refX: 7, refY: 4,
                         markerWidth: 7, markerHeight: 7, orient: "auto" }, svg("path", { d: "M0 0.5L8 4L0 7.5z" }));
}

function note_memory(state, cut) {
  const left = cut + (state.cut || 0);
  by_id("memory-note").textContent = left ? `${left} more objects are not shown` : "";
}

function draw_memory(k) {
  const state = state_at(k), { boxes, edges, cut } = choose_boxes(state, k);
  note_memory(state, cut);
  if (!boxes.length) {
    by_id("graph").replaceChildren(el("p", { class: "notice" }, replay
      ? "No heap objects and no pointers here." : "The memory was not recorded."));
    return;
  }
  boxes.forEach((box) => describe(box, state));
  const size = place(layer(boxes, edges), edges);
  for (const edge of edges)
    edge.changed = edge.from.key && changed_parts(k, edge.from.key).has(edge.path);
  const picture = svg("svg", { width: size.width, height: size.height, role: "img",
    "aria-label": edges.map((edge) => `${join_path(edge.from.name, edge.path)} points to ${edge.to.name}${
      edge.freed ? ", which is freed" : ""}`).join("; ") || "Objects without pointers" });
  picture.append(svg("defs", {}, ...["", "-freed", "-changed"].map(head_marker)));
  picture.append(...boxes.map((box) => draw_box(box, k)), ...edges.flatMap(draw_edge));
  by_id("graph").replaceChildren(picture);
}
