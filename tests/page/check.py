"""The pages of --output-html in a browser: stepped through by keyboard, each step's row, line, values
and heap are there, in time.  Closes with a line "N passed, N failed".

usage: check.py [FOLDER]    (pictures of the pages are written into it)
"""

import functools
import pathlib
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import pages
from browser import Browser

ROOT = pages.ROOT
PROGRAMS = [pages.LIST, pages.REGISTERS, *(f"tests/reports/{name}" for name in (
    "stack_aba.c", "queue_wakeup.cpp", "session_free.c", "bank_deadlock.c", "map_race.cpp", "values.cpp",
    "fork_lock.c", "signal_lock.c", "paid_twice.c"))]
SECONDS = 1.0  # in which a page of 200 steps is open

# What the page shows of the step, as a reader finds it.
SHOWN = """(() => {
  const text = (selector) => [...document.querySelectorAll(selector)].map((one) => one.textContent);
  const row = document.querySelector('.row[aria-selected=true]');
  const line = document.querySelector('.code.current');
  const box = row.getBoundingClientRect(), lanes = document.getElementById('lanes').getBoundingClientRect();
  return {
    step: Number(row.dataset.step), text: row.querySelector('.words').textContent,
    active: document.getElementById('steps').getAttribute('aria-activedescendant') === row.id,
    inside: box.top >= lanes.top && box.bottom <= lanes.bottom + 1,
    line: line && Number(line.dataset.line),
    seen: !line || (() => { const a = line.getBoundingClientRect(),
      b = document.getElementById('source').getBoundingClientRect();
      return a.top >= b.top && a.bottom <= b.bottom + 1; })(),
    values: Object.fromEntries([...document.querySelectorAll('#variables tr[data-name]')].map((one) =>
      [one.dataset.name, one.querySelector('.value').lastChild.textContent])),
    rows: [...document.querySelectorAll('#variables tr[data-name]')].map((one) =>
      [one.dataset.name, one.querySelector('.value').lastChild.textContent]),
    changed: [...document.querySelectorAll('#variables tr.changed')].map((one) => one.dataset.name),
    boxes: [...document.querySelectorAll('#graph .box')].map((one) => one.dataset.object),
    freed: [...document.querySelectorAll('#graph .box.freed')].map((one) => one.dataset.object),
    pointers: [...document.querySelectorAll('#graph .pointer')].map((one) =>
      [one.dataset.from, one.dataset.to]),
    note: document.getElementById('memory-note').textContent,
  };
})()"""


def globals_of(data, state):
    """Names and texts of global variables that are one value, and no address."""
    names = data["replay"]["names"]
    for key, one in state["objects"].items():
        if one["kind"] == "global" and len(one["parts"]) == 1 and one["parts"][0][0] == "":
            value = one["parts"][0][3]
            if isinstance(value, str) and value != "?":
                yield names[key], value


def wrong_step(data, state, before, k, shown):
    step, names = data["steps"][k], data["replay"]["names"]
    line = step["at"] and step["at"][2]
    if (shown["step"], shown["text"], shown["line"]) != (k, step["text"], line):
        return f"shows {shown['step'] + 1}, {shown['text']}, line {shown['line']}"
    if not (shown["active"] and shown["inside"] and shown["seen"]):
        return "its row or its line is not to be seen"
    for name, value in globals_of(data, state):
        if shown["values"].get(name) != value:
            return f"{name} is {shown['values'].get(name)} instead of {value}"
        was = dict(globals_of(data, before)).get(name) if before else value
        if (was != value) != (name in shown["changed"]):
            return f"{name} was {was}, is {value}, and is marked wrongly"
    for _, _, _, variables in state["stacks"].get(str(step["thread"]), []):
        for key, name, *typed in variables:
            if key is None and isinstance(typed[1], str) and [name, typed[1]] not in shown["rows"]:
                return f"{name} in a register is not {typed[1]}"
    heap = {names[key] for key, one in state["objects"].items() if one["kind"] == "heap"}
    if not shown["note"] and not all(any(box == name or box.startswith(name + "[") for box in shown["boxes"])
                                     for name in heap):
        return f"of {heap} only {shown['boxes']} are drawn"
    drawn = {one[0] for one in shown["pointers"]}
    for key, one in state["objects"].items():
        for path, _, _, value in one["parts"]:
            if one["kind"] == "heap" and isinstance(value, list) and path == "next" and value[0] in names:
                if f"{names[key]}.next" not in drawn:
                    return f"{names[key]}.next is not drawn"
    return None


def check_steps(browser, page, limit):
    data = pages.data_of(page)
    begun = time.monotonic()
    browser.open(page, "#step=1")
    shown = browser.eval(SHOWN)
    took = time.monotonic() - begun
    if limit and took > limit:
        return f"took {took:.2f} s to open"
    before = None
    for k, state in enumerate(pages.states_of(data)):
        if k:
            browser.key("ArrowDown" if k % 2 else "j")
        why = wrong_step(data, state, before, k, browser.eval(SHOWN))
        if why:
            return f"step {k + 1}: {why}"
        before = state
    n = len(data["steps"])
    for key, wanted in [("End", n), ("k", n - 1), ("Home", 1), ("PageDown", min(n, 11)), ("ArrowUp", max(1, min(n, 11) - 1))]:
        browser.key(key)
        shown = browser.eval(SHOWN)["step"] + 1
        if shown != wanted:
            return f"{key} leads to step {shown} instead of {wanted}"
    return "; ".join(browser.complaints()) or None


def check_search(browser, page):
    data = pages.data_of(page)
    matches = [k for k, step in enumerate(data["steps"]) if "free" in step["text"].lower()]
    browser.open(page, "#step=1")
    browser.key("/")
    for letter in "free":
        browser.key(letter)
    for match in [*matches, matches[0]]:
        browser.key("Enter")
        if browser.eval(SHOWN)["step"] != match:
            return f"does not find step {match + 1}"
    if browser.eval("document.getElementById('found').textContent") != f"{len(matches)} matches":
        return "does not tell how many matches there are"
    browser.key("Escape")
    if browser.eval("document.activeElement.id") != "steps":
        return "the steps have no focus again"
    browser.key("N")
    browser.key("Home")
    return None if browser.eval(SHOWN)["step"] == 0 else "keys do not step any more"


ADDRESS = "new Promise((tell) => setTimeout(() => tell(location.hash), 400))"


def check_click(browser, page):
    browser.open(page, "#step=1")
    browser.click("#step-2")
    if browser.eval(SHOWN)["step"] != 2 or browser.eval(ADDRESS) != "#step=3":
        return "a click does not choose the step"
    browser.click("#after")
    return None if browser.eval(SHOWN)["step"] == 3 else "the button does not step"


def check_end(browser, page):
    """The list as it is broken: a pointer to the freed node."""
    browser.open(page)
    shown = browser.eval(SHOWN)
    if len(shown["freed"]) != 1 or not any(to == shown["freed"][0] for _, to in shown["pointers"]):
        return f"freed {shown['freed']}, pointers {shown['pointers']}"
    return None


# The least contrast of a text with what is behind it, and which text that is.
CONTRAST = """(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgb = (color, under) => { canvas.fillStyle = under; canvas.fillRect(0, 0, 1, 1);
    canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); return canvas.getImageData(0, 0, 1, 1).data; };
  const light = (color) => [0, 1, 2].map((k) => color[k] / 255)
    .map((x) => x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4)
    .reduce((sum, x, k) => sum + x * [0.2126, 0.7152, 0.0722][k], 0);
  const css = (color) => `rgb(${[...color].slice(0, 3).join(' ')})`;
  const behind = (node) => { const chain = [];
    for (; node; node = node.parentElement) chain.push(getComputedStyle(node).backgroundColor);
    return chain.reverse().reduce((under, color) => css(rgb(color, under)), 'white'); };
  let least = [99, ''];
  for (const node of document.querySelectorAll('h1, h2, p, b, i, span, button, td, th, summary, code, ins, del')) {
    const own = [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
    if (!own || !node.getClientRects().length) continue;
    const ground = behind(node), a = light(rgb(getComputedStyle(node).color, ground)), b = light(rgb(ground, 'white'));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < least[0]) least = [ratio, `${node.tagName} ${node.className} ${node.textContent.slice(0, 30)}`];
  }
  return least;
})()"""


def check_looks(browser, page, folder, width, height, scheme):
    browser.size(width, height)
    browser.prefer(scheme)
    browser.open(page)
    browser.picture(folder / f"{page.stem}-{width}-{scheme}.png")
    wide = browser.eval("document.documentElement.scrollWidth")
    if wide > width:
        return f"is {wide} wide"
    least, text = browser.eval(CONTRAST)
    if least < 4.5:
        return f"contrast {least:.2f}: {text}"
    shown = browser.eval("getComputedStyle(document.body).backgroundColor")
    browser.key("t")
    if browser.eval("getComputedStyle(document.body).backgroundColor") == shown:
        return "t does not change between light and dark"
    if width < 600:
        for tab in ("code", "values", "memory", "timeline"):
            browser.click(f"[data-view={tab}]")
            if not browser.eval(f"document.getElementById('{tab}').offsetHeight > 200"):
                return f"{tab} does not come"
            browser.picture(folder / f"{page.stem}-{width}-{tab}.png")
    return None


def check_roles(browser, page):
    browser.open(page)
    return browser.eval("""(() => {
      if (document.activeElement.id !== 'steps') return 'the steps have no focus';
      const named = (node) => node.getAttribute('aria-label') || node.textContent.trim() ||
        node.closest('label');
      const bare = [...document.querySelectorAll('button, input, [role]:not([role=status])')].find((node) => !named(node));
      if (bare) return `${bare.outerHTML} has no name`;
      if (document.querySelectorAll('[aria-selected=true][role=option]').length !== 1) return 'not one step chosen';
      return document.querySelector('[aria-current]') ? null : 'no line is the current one';
    })()""")


def tests(browser, folder):
    made = {path: pages.page_of(path, [])[0] for path in PROGRAMS}
    list_ = made[pages.LIST]
    for path, page in made.items():
        yield f"{path}: each step", lambda p=page, l=path == pages.LIST: check_steps(browser, p, SECONDS if l else None)
    yield "search", lambda: check_search(browser, list_)
    yield "click", lambda: check_click(browser, list_)
    yield "the broken list", lambda: check_end(browser, list_)
    yield "roles", lambda: check_roles(browser, list_)
    for page in (list_, made["tests/reports/stack_aba.c"], made["tests/reports/queue_wakeup.cpp"]):
        for size in ((1440, 900), (390, 800)):
            for scheme in ("light", "dark"):
                yield f"looks of {page.stem}, {size[0]} wide, {scheme}", functools.partial(
                    check_looks, browser, page, folder, *size, scheme)


def main():
    failed = passed = 0
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    with Browser() as browser:
        browser.size(1440, 900)
        for name, test in tests(browser, folder):
            why = test()
            passed += not why
            failed += bool(why)
            if why:
                print(f"page: {name}: {why}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
