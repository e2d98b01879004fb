/* lanes.js - the steps: a lane for each thread, time downwards, arrows for what orders them.
 *
 * Rows have one height, so that lines and arrows are drawn by numbers alone.  Where there is not
 * much room, lanes become rails at the left, and all texts begin behind them. */

const ROW = 26;
const view = { rows: [], row_of: new Map(), unfolded: false, wide: true, lane: 160 };

const fold_size = () => (data.setup > 2 && !view.unfolded ? data.setup : 0);

function list_rows() {
  const folded = fold_size();
  view.rows = folded ? [{ fold: folded }] : [];
  view.row_of = new Map();
  for (let k = 0; k < steps.length; k++) {
    if (k < folded) continue;
    view.row_of.set(k, view.rows.length);
    view.rows.push({ step: k });
  }
}

function measure() {
  const room = by_id("lanes").clientWidth - GUTTER() - 16;
  const wanted = lanes.length > 1 ? (room - 300) / (lanes.length - 1) : room;
  view.wide = wanted >= 84;
  view.lane = view.wide ? Math.min(230, wanted) : 18;
}

const GUTTER = () => 14 + 8 * String(steps.length).length;
const lane_x = (thread) => GUTTER() + 14 + lane_of.get(thread) * view.lane;
const text_x = (thread) => (view.wide ? lane_x(thread) : lane_x(lanes[lanes.length - 1])) + 12;
const row_y = (row) => row * ROW + ROW / 2;

/* ---- lines and arrows ------------------------------------------------------------------------ */

function lane_lines() {
  const lines = [];
  for (const thread of lanes) {
    const own = steps.map((step, k) => k).filter((k) => steps[k].thread === thread);
    const first = view.row_of.get(own[0]) ?? 0, last = view.row_of.get(own[own.length - 1]) ?? 0;
    const open = steps[own[own.length - 1]].kind === "blocked";
    const x = lane_x(thread);
    lines.push(svg("line", { class: "lane", x1: x, x2: x, y1: row_y(first), y2: row_y(last),
                             style: `stroke:${color_of(thread)}` }));
    if (open)
      lines.push(svg("line", { class: "lane open", x1: x, x2: x, y1: row_y(last),
                               y2: row_y(last) + ROW * 0.9, style: `stroke:${color_of(thread)}` }));
  }
  return lines;
}

function arrow(from, to, kind) {
  const a = view.row_of.get(from), b = view.row_of.get(to);
  if (b === undefined) return null;
  const y1 = a === undefined ? row_y(0) : row_y(a), y2 = row_y(b);
  const x1 = lane_x(steps[from].thread), x2 = lane_x(steps[to].thread);
  const side = Math.sign(x2 - x1) || 1, reach = Math.max(8, Math.min(Math.abs(x2 - x1) / 2, 46));
  const end = x2 - side * 6;
  const path = `M${x1} ${y1}C${x1 + side * reach} ${y1} ${end - side * reach} ${y2} ${end} ${y2}`;
  return svg("path", { class: `arrow ${kind}`, d: path, "marker-end": "url(#head-arrow)",
                       "data-from": from, "data-to": to });
}

const arrow_words = {
  lock: "after the unlock in", wake: "woken by", create: "created in", join: "after the end of",
  value: "reads what is written in", semaphore: "after the post in",
};

function draw_lines() {
  const width = text_x(lanes[lanes.length - 1]), height = view.rows.length * ROW;
  const picture = svg("svg", { class: "wires", width, height, "aria-hidden": "true" });
  picture.append(svg("defs", {}, svg("marker", { id: "head-arrow", viewBox: "0 0 8 8", refX: 7,
    refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" },
    svg("path", { d: "M0 0.5L8 4L0 7.5z" }))));
  picture.append(...lane_lines());
  (data.arrows || []).forEach((list, to) => list.forEach(([from, kind]) => {
    const drawn = arrow(from, to, kind);
    if (drawn) picture.append(drawn);
  }));
  return picture;
}

/* ---- rows ------------------------------------------------------------------------------------ */

function step_label(k) {
  const step = steps[k], place = place_of(step);
  const where = place ? `, ${base_name(data.sources[place.file].path)} line ${place.line}` : "";
  return `Step ${k + 1}, ${thread_name(step.thread)}${where}: ${step.text}`;
}

function step_row(k) {
  const step = steps[k], place = place_of(step);
  const text = el("span", { class: "text" });
  if (place) text.append(el("span", { class: "line-number" }, `${place.line}`));
  text.append(el("span", { class: "words" }, step.text));
  if (step.times) text.append(el("span", { class: "times" }, `×${step.times}`));
  return el("div", {
    id: `step-${k}`, class: `row ${step.kind}`, role: "option", "data-step": k,
    "aria-selected": "false", "aria-label": step_label(k), title: step.text,
    style: `--x:${text_x(step.thread)}px;--dot:${lane_x(step.thread)}px;--color:${color_of(step.thread)}`,
  }, el("span", { class: "number" }, `${k + 1}`), el("span", { class: "dot" }), text);
}

function fold_row(n) {
  return el("button", { type: "button", class: "row fold", id: "unfold" },
            `… ${n} steps before the second thread`);
}

function lane_heads() {
  const heads = el("div", { class: view.wide ? "heads" : "heads rails" });
  for (const thread of lanes)
    heads.append(el("span", {
      class: "head", title: thread_name(thread),
      style: `--color:${color_of(thread)};--x:${lane_x(thread) - 6}px;--width:${view.lane - 8}px`,
    }, thread_name(thread)));
  if (view.wide && lanes.length) heads.lastChild.style.setProperty("--width", "20rem");
  return heads;
}

function draw_lanes() {
  const box = by_id("lanes");
  list_rows();
  measure();
  const list = el("div", { id: "steps", class: "steps", role: "listbox", tabindex: "0",
                           "aria-label": "Steps, in the order of time" });
  list.append(draw_lines());
  list.append(...view.rows.map((row) => row.fold ? fold_row(row.fold) : step_row(row.step)));
  box.replaceChildren(lane_heads(), list);
}

/* Scrolls the box alone: no row is under its heads. */
function reveal(box, row) {
  const heads = box.firstChild.offsetHeight, top = row.offsetTop + row.parentNode.offsetTop - heads;
  if (top < box.scrollTop) box.scrollTop = Math.max(0, top - ROW);
  else if (top + heads + 2 * ROW > box.scrollTop + box.clientHeight)
    box.scrollTop = top + heads + 2 * ROW - box.clientHeight;
  const x = lane_x(steps[Number(row.dataset.step)].thread);
  if (x < box.scrollLeft + 20) box.scrollLeft = Math.max(0, x - 60);
  else if (view.wide && x + 140 > box.scrollLeft + box.clientWidth)
    box.scrollLeft = x + 140 - box.clientWidth;
}

/* The row of a step is made visible if it is folded. */
function mark_step(k) {
  if (k < fold_size()) {
    view.unfolded = true;
    draw_lanes();
    show_matches();
  }
  for (const row of document.querySelectorAll(".row[aria-selected=true]"))
    row.setAttribute("aria-selected", "false");
  const row = by_id(`step-${k}`);
  row.setAttribute("aria-selected", "true");
  by_id("steps").setAttribute("aria-activedescendant", row.id);
  reveal(by_id("lanes"), row);
  for (const path of document.querySelectorAll(".arrow"))
    path.classList.toggle("near", path.dataset.to === `${k}` || path.dataset.from === `${k}`);
}

/* ---- search ------------------------------------------------------------------------------------ */

const search = { text: "", matches: [] };

function find_matches(text) {
  const wanted = text.trim().toLowerCase();
  search.text = wanted;
  search.matches = wanted ? steps.map((step, k) => k)
    .filter((k) => step_label(k).toLowerCase().includes(wanted)) : [];
  show_matches();
}

function show_matches() {
  const found = new Set(search.matches);
  for (const row of document.querySelectorAll(".row[data-step]")) {
    const k = Number(row.dataset.step);
    row.classList.toggle("match", found.has(k));
    row.classList.toggle("dim", search.text !== "" && !found.has(k));
  }
  by_id("found").textContent = !search.text ? "" :
    search.matches.length === 1 ? "1 match" : `${search.matches.length} matches`;
}

/* The next match from a step, or the one before; undefined if there is none. */
function match_from(k, forward) {
  const list = search.matches;
  if (forward) return list.find((match) => match > k) ?? list[0];
  return [...list].reverse().find((match) => match < k) ?? list[list.length - 1];
}
