/* main.js - the step that is shown, and how it is chosen: keys, clicks, search, the address. */

let present = -1, naming = 0;

/* The address names the step, once it has stayed for a while: browsers forbid more. */
function name_step() {
  clearTimeout(naming);
  naming = setTimeout(() => history.replaceState(null, "", `#step=${present + 1}`), 200);
}

function show_step(k, quiet) {
  present = Math.max(0, Math.min(steps.length - 1, k));
  const step = steps[present], place = place_of(step);
  mark_step(present);
  mark_source(present);
  draw_variables(present);
  draw_memory(present);
  by_id("slider").value = present + 1;
  by_id("now").replaceChildren(
    el("b", {}, `${present + 1} / ${steps.length}`), " ",
    el("span", { class: "who", style: `--color:${color_of(step.thread)}` }, thread_name(step.thread)), " ",
    place ? el("span", { class: "where" }, `line ${place.line} `) : "",
    el("span", { class: "what" }, step.text));
  if (!quiet) name_step();
}

/* The next step of the same thread, or the one before. */
function same_thread(by) {
  let k = present + by;
  while (steps[k] && steps[k].thread !== steps[present].thread) k += by;
  if (steps[k]) show_step(k);
}

function next_match(forward) {
  const k = match_from(present, forward);
  if (k !== undefined) show_step(k);
}

/* ---- keys ---------------------------------------------------------------------------------------- */

const actions = {
  ArrowDown: () => show_step(present + 1), j: () => show_step(present + 1),
  ArrowUp: () => show_step(present - 1), k: () => show_step(present - 1),
  ArrowRight: () => same_thread(1), l: () => same_thread(1),
  ArrowLeft: () => same_thread(-1), h: () => same_thread(-1),
  Home: () => show_step(0), End: () => show_step(steps.length - 1),
  PageDown: () => show_step(present + 10), PageUp: () => show_step(present - 10),
  "/": () => by_id("search").focus(), t: () => switch_theme(),
  n: () => next_match(true), N: () => next_match(false), "?": () => by_id("help").showModal(),
};

function on_key(event) {
  const typing = event.target === by_id("search");
  if (event.ctrlKey || event.metaKey || event.altKey || by_id("help").open) return;
  if (typing && event.key === "Enter") next_match(!event.shiftKey);
  else if (typing && event.key === "Escape") {
    by_id("search").value = "";
    find_matches("");
    by_id("steps").focus();
  } else if (typing || !actions[event.key] || !steps.length) return;
  else if (event.target === by_id("slider") && event.key.startsWith("Arrow")) return;
  else actions[event.key]();
  event.preventDefault();
}

/* ---- theme, views ---------------------------------------------------------------------------------- */

const dark_wanted = matchMedia("(prefers-color-scheme: dark)");

function is_dark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : dark_wanted.matches;
}

function switch_theme() {
  document.documentElement.dataset.theme = is_dark() ? "light" : "dark";
}

/* On a narrow screen one view is shown at a time. */
function choose_view(name) {
  by_id("main").dataset.view = name;
  for (const tab of by_id("views").children)
    tab.setAttribute("aria-selected", tab.dataset.view === name);
  if (name === "timeline") draw_lanes();
  if (present >= 0) show_step(present, true);
}

/* ---- beginning -------------------------------------------------------------------------------------- */

function remark(kind, ...words) {
  return el("p", { class: kind }, ...words);
}

function draw_head() {
  const badge_kind = data.verdict === "error" ? "bad" : data.verdict === "incomplete" ? "warn" : "good";
  by_id("verdict").textContent = data.verdict;
  by_id("verdict").classList.add(badge_kind);
  by_id("headline").textContent = data.headline || "";
  const remarks = by_id("remarks");
  if (data.values) remarks.append(remark("values", "The values: ", el("code", {}, data.values)));
  if (data.hint) remarks.append(remark("hint", "Hint: ", data.hint));
  for (const note of data.notes || []) remarks.append(remark("hint", "Note: ", note));
  if (data.orders)
    remarks.append(el("details", { class: "output", id: "orders", open: "" },
                      el("summary", {}, "Other memory orders"), el("pre", {}, data.orders)));
  if (data.again) remarks.append(remark("again", el("code", {}, data.again)));
  if (data.output)
    remarks.append(el("details", { class: "output" }, el("summary", {}, "Output of the program"),
                      el("pre", {}, data.output)));
}

function listen() {
  document.addEventListener("keydown", on_key);
  by_id("lanes").addEventListener("click", (event) => {
    const row = event.target.closest(".row");
    if (!row) return;
    if (row.id === "unfold") {
      view.unfolded = true;
      draw_lanes();
      show_step(present, true);
    } else show_step(Number(row.dataset.step));
  });
  by_id("code").addEventListener("click", (event) => {
    const button = event.target.closest("button[data-file]");
    if (!button) return;
    show_line(Number(button.dataset.file), Number(button.dataset.line || 1));
    clear_marks();
    mark_threads(present);
  });
  by_id("variables").addEventListener("toggle", (event) =>
    opened.set(event.target.dataset.group, event.target.open), true);
  by_id("search").addEventListener("input", (event) => find_matches(event.target.value));
  by_id("slider").addEventListener("input", (event) => show_step(Number(event.target.value) - 1));
  for (const [id, action] of [["first", "Home"], ["before", "k"], ["after", "j"], ["last", "End"],
                              ["theme", "t"], ["keys", "?"]])
    by_id(id).addEventListener("click", () => actions[action]());
  by_id("views").addEventListener("click", (event) =>
    event.target.dataset.view && choose_view(event.target.dataset.view));
  addEventListener("resize", () => {
    draw_lanes();
    show_matches();
    show_step(present, true);
  });
  addEventListener("hashchange", () => show_step(asked_step()));
}

/* By the address, or else the error. */
function asked_step() {
  const asked = location.hash.match(/^#step=(\d+)$/);
  return asked ? Number(asked[1]) - 1 : steps.length - 1;
}

function begin() {
  draw_head();
  if (!steps.length) {
    document.body.classList.add("empty");
    by_id("main").replaceChildren(el("p", { class: "notice" }, data.verdict === "no error found"
      ? `Every interleaving was explored: ${data.states} states, ${data.transitions} transitions.`
      : `${data.states} states were seen.`));
    by_id("theme").addEventListener("click", switch_theme);
    return;
  }
  find_changing();
  draw_files();
  by_id("slider").max = steps.length;
  if (replay && replay.first)
    by_id("values-note").textContent = `known for the last ${replay.moments.length} steps`;
  choose_view("timeline");
  listen();
  show_step(asked_step(), true);
  by_id("steps").focus({ preventScroll: true });
}

begin();
