"""Drive a headless Chromium through its debugging pipe, which needs no software except the browser."""

import base64
import itertools
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time

from tests.patience import PATIENCE

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--remote-debugging-pipe",
    "--window-size=1400,1000",
)


def executable():
    """Return the path of an installed Chromium or Chrome, or None. The variable CHROMIUM overrides the search."""
    return next(filter(None, map(shutil.which, (os.environ.get("CHROMIUM", ""), *NAMES))), None)


class PageLeft(Exception):
    """The browser went to another page before it answered."""


class Page:
    """A page in a separate browser process; use it in a `with` block."""

    def __init__(self, address):
        self.address = address
        self.requests = []
        """Addresses the page has asked for."""
        self.errors = []
        """What went wrong in its scripts."""

    def __enter__(self):
        self._profile = tempfile.mkdtemp(prefix="catan-browser-")
        theirs_in, self._to = os.pipe()
        self._from, theirs_out = os.pipe()
        # The browser reads commands from descriptor 3 and writes answers to 4.
        command = [executable(), *FLAGS, f"--user-data-dir={self._profile}", "about:blank"]
        shell = ["bash", "-c", f'exec "$@" 3<&{theirs_in} 4>&{theirs_out}', "browser", *command]
        self._process = subprocess.Popen(
            shell,
            pass_fds=(theirs_in, theirs_out),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        try:
            self._begin()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _begin(self):
        self._numbers, self._buffer, self._session = itertools.count(1), b"", None
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network"):
            self._call(f"{domain}.enable")
        self.visit(self.address)

    def __exit__(self, *_):
        os.killpg(self._process.pid, signal.SIGKILL)  # also kills the processes that draw its pages
        self._process.wait()
        os.close(self._to)
        os.close(self._from)
        shutil.rmtree(self._profile, ignore_errors=True)

    def visit(self, address):
        """Go to an address and wait until its scripts have run."""
        self._call("Page.navigate", url="about:blank")
        self._call("Page.navigate", url=address)
        self.wait("document.readyState === 'complete' && location.protocol !== 'about:'")

    def run(self, script):
        """Return the value of a JavaScript expression."""
        answer = self._call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def wait(self, script):
        """Wait until a JavaScript expression is true, even if the browser goes to another page meanwhile."""
        end = time.monotonic() + PATIENCE
        while not self._is_true(script):
            assert time.monotonic() < end, f"in {PATIENCE} s it was never true that {script}"
            time.sleep(0.02)

    def _is_true(self, script):
        try:
            return self.run(script)
        except PageLeft:
            return False

    def resize(self, width, height=1000):
        """Resize the window; sizes are in CSS pixels."""
        self._call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def picture(self, path):
        """Write a screenshot of the window to a PNG file."""
        path.write_bytes(base64.b64decode(self._call("Page.captureScreenshot", format="png")["data"]))

    def click(self, selector):
        """Click the center of an element with the mouse."""
        x, y = self.run(
            f"(() => {{ const e = document.querySelector({selector!r}); e.scrollIntoView({{block: 'center'}});"
            "const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()"
        )
        self.click_at(x, y)

    def click_at(self, x, y):
        """Click at a point with the mouse."""
        for kind in ("mousePressed", "mouseReleased"):
            self._call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1, buttons=1)

    def tap_at(self, x, y):
        """Tap at a point with a finger; call `phone` first."""
        for kind, points in (("touchStart", [{"x": x, "y": y}]), ("touchEnd", [])):
            self._call("Input.dispatchTouchEvent", type=kind, touchPoints=points)

    def phone(self):
        """Emulate a phone with a touch screen, 390 pixels wide."""
        self._call("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=1, mobile=True)
        self._call("Emulation.setTouchEmulationEnabled", enabled=True)

    def press(self, key):
        """Press a key."""
        for kind in ("keyDown", "keyUp"):
            self._call("Input.dispatchKeyEvent", type=kind, key=key, code=key)

    def choose(self, selector, value):
        """Set a form field and send the events that a user's change would send."""
        self.run(
            f"(() => {{ const e = document.querySelector({selector!r}); e.value = {json.dumps(value)};"
            "for (const kind of ['input', 'change']) e.dispatchEvent(new Event(kind, {bubbles: true})); })()"
        )

    def _call(self, method, **parameters):
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + PATIENCE
        while True:
            heard = self._listen(end, method)
            if heard.get("id") == number:
                if "error" in heard and "navigated" in heard["error"]["message"]:
                    raise PageLeft(heard["error"]["message"])
                assert "error" not in heard, heard["error"]
                return heard["result"]

    def _listen(self, end, method):
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._from], [], [], max(0.0, end - time.monotonic()))
            assert ready, f"the browser has not answered {method} in {PATIENCE} s"
            heard = os.read(self._from, 1 << 20)
            assert heard, f"the browser has gone, asked for {method}"
            self._buffer += heard
        first, self._buffer = self._buffer.split(b"\0", 1)
        heard = json.loads(first)
        if heard.get("method") == "Network.requestWillBeSent":
            self.requests.append(heard["params"]["request"]["url"])
        if heard.get("method") == "Runtime.exceptionThrown":
            self.errors.append(heard["params"]["exceptionDetails"])
        return heard
