/* source.js - the source text: the line of the step, where its thread has run on to, and where
 * the other threads are. */

const MAX_LINES = 20000;
const source = { file: -1 };

const keywords = new Set(("alignas alignof auto bool break case catch char class const constexpr " +
  "continue decltype default delete do double else enum explicit extern false float for friend goto " +
  "if inline int long mutable namespace new noexcept nullptr NULL operator private protected public " +
  "return short signed sizeof static struct switch template this throw true try typedef typename " +
  "union unsigned using virtual void volatile while _Atomic _Bool").split(" "));
const token = /(\/\/.*$|\/\*.*?\*\/)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(^\s*#\s*\w+)|(\b\d[\w.']*)|([A-Za-z_]\w*)/g;

/* A line with its words marked; inside: it begins in a comment of several lines. */
function mark_words(text, inside) {
  const parts = [];
  let at = 0, rest = text;
  if (inside) {
    const end = text.indexOf("*/");
    at = end < 0 ? text.length : end + 2;
    parts.push(el("i", { class: "comment" }, text.slice(0, at)));
  }
  const open = text.indexOf("/*", at), close = open < 0 ? -1 : text.indexOf("*/", open + 2);
  if (open >= 0 && close < 0) rest = text.slice(0, open);
  token.lastIndex = at;
  for (let match; (match = token.exec(rest));) {
    const kind = match[1] ? "comment" : match[2] ? "string" : match[3] ? "directive"
      : match[4] ? "number" : keywords.has(match[5]) ? "keyword" : null;
    if (!kind) continue;
    parts.push(rest.slice(at, match.index), el("i", { class: kind }, match[0]));
    at = match.index + match[0].length;
  }
  parts.push(rest.slice(at));
  if (rest !== text) parts.push(el("i", { class: "comment" }, text.slice(open)));
  return parts.filter((part) => part !== "");
}

function ends_in_comment(text, inside) {
  const open = text.lastIndexOf("/*"), close = text.lastIndexOf("*/");
  const line = text.indexOf("//");
  if (inside) return close < 0 || open > close;
  return open >= 0 && open > close && !(line >= 0 && line < open);
}

function draw_file(index) {
  const file = data.sources[index];
  source.file = index;
  for (const tab of by_id("files").children)
    tab.setAttribute("aria-pressed", tab.dataset.file === `${index}`);
  if (file.text === null) {
    by_id("source").replaceChildren(el("p", { class: "notice" }, `${file.path} could not be read.`));
    return;
  }
  const lines = file.text.split("\n"), text = el("div", { class: "text" });
  if (lines[lines.length - 1] === "") lines.pop();
  let inside = false;
  lines.slice(0, MAX_LINES).forEach((line, k) => {
    text.append(el("div", { class: "code", "data-line": k + 1 },
                   el("span", { class: "number" }, `${k + 1}`),
                   el("span", { class: "marks" }),
                   el("code", {}, ...mark_words(line, inside))));
    inside = ends_in_comment(line, inside);
  });
  if (file.cut || lines.length > MAX_LINES)
    text.append(el("p", { class: "notice" }, "The rest of this file is not shown: it is too long."));
  by_id("source").replaceChildren(text);
}

function draw_files() {
  const used = data.sources || [];
  if (used.length < 2) {
    by_id("files").replaceChildren(...used.map((file) =>
      el("span", { class: "only", title: file.path }, base_name(file.path))));
    return;
  }
  by_id("files").replaceChildren(...used.map((file, k) =>
    el("button", { type: "button", "data-file": k, title: file.path }, base_name(file.path))));
}

const line_of = (line) => by_id("source").querySelector(`[data-line="${line}"]`);

function badge(thread, title) {
  return el("b", { class: "thread", title, style: `--color:${color_of(thread)}` }, `${thread}`);
}

/* Where the threads are at a step, in the file that is shown. */
function mark_threads(k) {
  const stacks = state_at(k).stacks, own = `${steps[k].thread}`;
  for (const [thread, stack] of Object.entries(stacks)) {
    const top = stack[0];
    const line = top && top[1] === source.file ? line_of(top[2]) : null;
    if (!line) continue;
    const name = thread_name(Number(thread));
    if (thread === own && steps[k].at && steps[k].at[1] === top[1] && steps[k].at[2] === top[2])
      continue;
    line.classList.add(thread === own ? "next" : "other");
    line.style.setProperty("--color", color_of(Number(thread)));
    line.querySelector(".marks").append(
      badge(Number(thread), thread === own ? `${name} has run on to here` : `${name} is here`));
  }
}

function clear_marks() {
  for (const line of by_id("source").querySelectorAll(".current, .next, .other")) {
    line.classList.remove("current", "next", "other");
    line.removeAttribute("aria-current");
    line.querySelector(".marks").replaceChildren();
  }
}

function draw_stack(k) {
  const step = steps[k], state = state_at(k);
  const places = step.stack && step.stack.length ? step.stack
    : (state.stacks[step.thread] || []).map((frame) => frame.slice(0, 3));
  const calls = [...places].reverse();
  by_id("stack").replaceChildren(...calls.flatMap((call, n) => [
    n ? " › " : "",
    el("button", { type: "button", class: "call", "data-file": call[1], "data-line": call[2],
                   title: `line ${call[2]}` }, call[0].replace(/^.*::(lambda::operator\(\))$/, "lambda")),
  ]));
}

function show_line(index, line) {
  if (index !== source.file) draw_file(index);
  const row = line_of(line);
  if (row) center(by_id("source"), row);
}

/* Without moving the page. */
function center(box, row) {
  const top = row.offsetTop, height = box.clientHeight;
  if (top < box.scrollTop + 2 * ROW || top > box.scrollTop + height - 3 * ROW)
    box.scrollTop = top - height / 2;
}

function mark_source(k) {
  const place = place_of(steps[k]);
  draw_stack(k);
  if (place && place.file !== source.file) draw_file(place.file);
  else if (source.file < 0 && data.sources.length) draw_file(0);
  clear_marks();
  const row = place ? line_of(place.line) : null;
  if (row) {
    row.classList.add("current");
    row.classList.toggle("failed", steps[k].kind === "error");
    row.setAttribute("aria-current", "true");
    row.style.setProperty("--color", color_of(steps[k].thread));
    row.querySelector(".marks").append(badge(steps[k].thread, thread_name(steps[k].thread)));
    center(by_id("source"), row);
  }
  mark_threads(k);
}
