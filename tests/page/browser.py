"""A browser without a window: Debian's chromium, led by its DevTools protocol over a pipe, as
messages of JSON that end with a zero byte."""

import base64
import json
import os
import shutil
import subprocess
import tempfile


class Browser:
    def __init__(self):
        program = shutil.which("chromium")
        if not program:
            raise FileNotFoundError("chromium")
        self.folder = tempfile.TemporaryDirectory(prefix="divm-page-")
        to_read, self.to = os.pipe()
        self.of, to_write = os.pipe()
        self.rest = b""
        self.next = 0
        self.session = None
        self.told = []

        def connect():  # the browser reads from 3 and writes to 4
            for source, wanted in ((os.dup(to_read), 3), (os.dup(to_write), 4)):
                os.dup2(source, wanted)
                os.set_inheritable(wanted, True)

        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--hide-scrollbars", "--no-first-run", "--disable-extensions", "--disable-background-networking",
             "--remote-debugging-pipe", f"--user-data-dir={self.folder.name}", "about:blank"],
            preexec_fn=connect, pass_fds=(3, 4, to_read, to_write),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")

    def receive(self):
        while b"\0" not in self.rest:
            more = os.read(self.of, 1 << 20)
            if not more:
                raise EOFError("chromium has ended")
            self.rest += more
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def ask(self, method, **params):
        self.next += 1
        message = {"id": self.next, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.next:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.told.append(answer)

    def open(self, path, hash=""):
        self.told.clear()
        self.ask("Page.navigate", url="about:blank")
        self.ask("Page.navigate", url=f"file://{os.path.abspath(path)}{hash}")
        while not self.eval("document.readyState === 'complete' && location.href !== 'about:blank'"):
            pass

    def eval(self, expression):
        answer = self.ask("Runtime.evaluate", expression=expression, returnByValue=True,
                          awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def key(self, name, text=None):
        keys = {"ArrowDown": 40, "ArrowUp": 38, "ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35,
                "PageDown": 34, "PageUp": 33, "Enter": 13, "Escape": 27, "Tab": 9}
        text = text if text is not None else (name if len(name) == 1 else "\r" if name == "Enter" else "")
        code = keys.get(name, ord(name.upper()) if len(name) == 1 and name.isalpha() else 0)
        common = {"key": name, "windowsVirtualKeyCode": code}
        self.ask("Input.dispatchKeyEvent", type="keyDown", text=text, **common)
        self.ask("Input.dispatchKeyEvent", type="keyUp", **common)

    def click(self, selector):
        x, y = self.eval(f"(() => {{ const box = document.querySelector({json.dumps(selector)})"
                         ".getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; })()")
        for kind in ("mousePressed", "mouseReleased"):
            self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def size(self, width, height, mobile=False):
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height,
                 deviceScaleFactor=1, mobile=mobile)

    def prefer(self, scheme):
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme},
                                                         {"name": "prefers-reduced-motion", "value": "reduce"}])

    def picture(self, path):
        data = self.ask("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as out:
            out.write(base64.b64decode(data))

    def complaints(self):
        """What the page threw or logged, and what it wanted of the network."""
        self.eval("0")
        bad = []
        for event in self.told:
            params = event.get("params", {})
            if event.get("method") == "Runtime.exceptionThrown":
                bad.append(str(params["exceptionDetails"]))
            elif event.get("method") == "Log.entryAdded":
                bad.append(params["entry"]["text"])
            elif event.get("method") == "Network.requestWillBeSent":
                url = params["request"]["url"]
                if not url.startswith(("file://", "about:", "data:")):
                    bad.append(f"asked for {url}")
        return bad

    def close(self):
        try:
            self.session = None
            self.ask("Browser.close")
        except (EOFError, OSError):
            pass
        self.process.wait(timeout=30)
        os.close(self.to)
        os.close(self.of)
        self.folder.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
