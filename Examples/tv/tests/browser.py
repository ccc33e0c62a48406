"""Headless Chromium as a viewer uses it: a television with a remote control, or a phone."""

import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import time

KEYS = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Enter": 13, "Escape": 27, "Backspace": 8}
#: A name of the service at 127.0.0.1. Only this browser knows the name; the name of a real service would be in the DNS.
SERVICE = "tv.example"


class Failure(Exception):
    pass


class Browser:
    """Headless Chromium, controlled over a pair of pipes. A NUL ends each message."""

    def __init__(self, folder, name, user=None):
        profile = pathlib.Path(folder, name)
        if user:
            profile.mkdir()
            shutil.chown(profile, user, user)
        to_browser, self.commands = os.pipe()
        self.answers, from_browser = os.pipe()
        options = ["--headless=new", "--remote-debugging-pipe", f"--user-data-dir={profile}", "--no-first-run",
                   "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking", "--disable-sync",
                   "--disable-component-update", "--disable-extensions", "--no-proxy-server", "--lang=en", "--hide-scrollbars",
                   f"--host-resolver-rules=MAP {SERVICE} 127.0.0.1 , MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"]
        if os.geteuid() == 0:
            options.append("--no-sandbox")
        identity = f"setpriv --reuid {user} --regid {user} --init-groups " if user else ""
        self.log = open(f"{folder}/{name}.log", "wb")
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec {identity}chromium "$@" 3<&{to_browser} 4>&{from_browser}', "chromium", *options],
            pass_fds=(to_browser, from_browser), stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        os.close(to_browser)
        os.close(from_browser)
        self.unread, self.last = b"", 0
        self.requests, self.complaints = [], []

    def call(self, method, session=None, within=90, **params):
        self.last += 1
        message = {"id": self.last, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + within
        while True:
            answer = self.read(deadline, method)
            if answer.get("id") == self.last:
                if "error" in answer:
                    raise Failure(f"{method}: {answer['error']}")
                return answer["result"]
            self.note(answer.get("method"), answer.get("params", {}))

    def note(self, event, params):
        if event == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif event == "Network.webSocketCreated":
            self.requests.append(params["url"])
        elif event == "Runtime.exceptionThrown":
            self.complaints.append(params["exceptionDetails"])
        elif event == "Log.entryAdded" and params["entry"]["level"] == "error" and params["entry"]["source"] != "network":
            self.complaints.append(params["entry"])

    def read(self, deadline, method):
        while b"\0" not in self.unread:
            if not select.select([self.answers], [], [], max(0, deadline - time.monotonic()))[0]:
                raise Failure(f"{method}: no answer of the browser in time")
            more = os.read(self.answers, 1 << 16)
            if not more:
                raise Failure("the browser has ended: " + pathlib.Path(self.log.name).read_text(errors="replace")[-2000:])
            self.unread += more
        message, _, self.unread = self.unread.partition(b"\0")
        return json.loads(message)

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Page:
    """A window of the browser."""

    def __init__(self, browser, address, pictures, width, height, scale=1):
        self.browser, self.pictures = browser, pictures
        self.target = browser.call("Target.createTarget", url="about:blank", newWindow=True)["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        for domain in "Page", "Network", "Runtime", "Log", "Accessibility":
            self.call(domain + ".enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False)
        self.call("Emulation.setFocusEmulationEnabled", enabled=True)
        self.call("Page.addScriptToEvaluateOnNewDocument", source=TV)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
        self.call("Page.navigate", url=address)

    def call(self, method, **params):
        return self.browser.call(method, self.session, **params)

    def see(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        return None if "exceptionDetails" in answer else answer["result"].get("value")

    def becomes(self, fact, within):
        deadline = time.monotonic() + within
        while not self.see(fact):
            if time.monotonic() > deadline:
                return False
            time.sleep(0.03)
        return True

    def wait(self, fact, within=30):
        if not self.becomes(fact, within):
            raise Failure(f"timeout while waiting for {fact}; the page: {self.see('location.href + document.body.innerText')}; "
                          f"the screen: {self.see('tv.screen() + tv.words()')}")

    def press(self, *keys):
        for key in keys:
            common = {"key": key, "code": key, "windowsVirtualKeyCode": KEYS[key]}
            if key == "Enter":
                common["text"] = "\r"
            self.call("Input.dispatchKeyEvent", type="keyDown" if key == "Enter" else "rawKeyDown", **common)
            self.call("Input.dispatchKeyEvent", type="keyUp", **{**common, "text": ""})
        return self

    def picture(self, name):
        if self.pictures:
            (self.pictures / f"{name}.png").write_bytes(self.capture())

    def capture(self):
        # After two frames, everything is drawn.
        self.call("Runtime.evaluate", awaitPromise=True,
                  expression="new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])


class Phone(Page):
    """The viewer's phone."""

    def __init__(self, browser, address, pictures):
        super().__init__(browser, address, pictures, 390, 844, 2)

    def heading(self, text):
        self.wait(f"document.readyState === 'complete' && document.querySelector('h1')?.textContent === {json.dumps(text)}")

    def type(self, field, text):
        self.see(f"document.querySelector({json.dumps(field)}).focus()")
        self.call("Input.insertText", text=text)

    def type_code(self):
        self.heading("Sign in on your TV?")
        self.see("document.querySelector('button[type=submit]').click()")
        return self

    def sign_in(self, user, password, end):
        self.heading("Sign in with North Cable")
        self.picture("phone-provider")
        self.type("#user", user)
        self.type("#password", password)
        self.press("Enter")
        self.heading(end)
        self.picture("phone-done")
        self.browser.call("Target.closeTarget", targetId=self.target)


class Television(Page):
    """A television with 1920×1080 or fewer pixels and a remote control."""

    def __init__(self, browser, address, pictures, width=1920, height=1080):
        super().__init__(browser, address, pictures, width, height)

    def screen(self, name, *texts):
        """Waits for a screen, its texts and a visible focus. Then checks the rules for every screen."""
        words = "".join(f" && tv.words().includes({json.dumps(text)})" for text in texts)
        self.wait(f"tv.screen() === {json.dumps(name)}{words}")
        problems = self.see(RULES)
        if problems != []:
            raise Failure(f"the screen {name}: {problems}")
        self.check_names(name)
        return self

    def check_names(self, name):
        """Checks what a screen reader says about all focusable elements."""
        for node in self.call("Accessibility.getFullAXTree")["nodes"]:
            role = node.get("role", {}).get("value")
            if role in ("button", "link", "image", "alert", "heading") and not node.get("ignored"):
                if not node.get("name", {}).get("value") and role != "alert":
                    raise Failure(f"the screen {name}: a {role} without a name")

    def focus(self, wanted):
        """Moves to the element with arrow keys, in its direction, as a viewer does."""
        for _ in range(12):
            way = self.see(WAY.replace("ID", json.dumps(wanted)))
            if way == "":
                return self
            before = self.see("tv.focused().id")
            self.press(way)
            if self.see("tv.focused().id") == before:
                other = self.see(WAY.replace("ID", json.dumps(wanted)).replace("PREFER = 0", "PREFER = 1"))
                self.press(other)
        raise Failure(f"arrow keys do not lead to {wanted}, but to {self.see('tv.focused().id')}")

    def choose(self, wanted):
        return self.focus(wanted).press("Enter")

    def spoken(self, text):
        self.wait(f"tv.find('#spoken, .spoken').textContent.includes({json.dumps(text)})")

    def scan(self, folder):
        """The address in the QR code on the screen, as a phone's camera sees it."""
        (folder / "screen.png").write_bytes(self.capture())
        seen = subprocess.run(["zbarimg", "--quiet", "--raw", folder / "screen.png"],
                              capture_output=True, text=True, timeout=30)
        if seen.returncode != 0:
            raise Failure(f"the QR code on the screen cannot be scanned: {seen.stderr}")
        return seen.stdout.strip()


# Functions for the tests. While the viewer signs in, the shadow root of <passd-sign-in> has the screen.
TV = r"""globalThis.tv = {
  host: () => document.querySelector('passd-sign-in[screen]'),
  root: () => tv.host()?.shadowRoot ?? document,
  screen: () => tv.host()?.getAttribute('screen') ?? document.body.dataset.screen,
  words: () => tv.root().querySelector('main, section').innerText,
  find: (selector) => tv.root().querySelector(selector),
  focused: () => tv.root().activeElement ?? document.body,
}"""

# The rules: everything is inside the safe area, and nothing is cut off. Letters have at least 28 pixels. Where the background
# has one colour, the contrast is at least 4.5 to 1. The numbers are for 1920 pixels. The focus is on an element that can be pressed.
RULES = r"""(() => {
  const problems = [], scale = innerWidth / 1920;
  const light = (color) => color.match(/[\d.]+/g).slice(0, 3).map((part) => part / 255)
    .map((part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
  const contrast = (one, two) => { const [a, b] = [light(one) + 0.05, light(two) + 0.05]; return Math.max(a / b, b / a); };
  const ground = (element) => {
    const style = getComputedStyle(element);
    if (style.backgroundImage !== 'none') return undefined;
    const color = style.backgroundColor;
    if (/^rgb\(/.test(color)) return color;
    if (!/, 0\)$/.test(color)) return undefined;
    const parent = element.parentElement ?? element.getRootNode().host;
    return parent ? ground(parent) : undefined;
  };
  for (const element of tv.root().querySelectorAll('h1, h2, h3, p:not(#spoken, .spoken), button, a, strong, span, img')) {
    const box = element.getBoundingClientRect();
    if (box.width === 0 || element.hidden || !element.checkVisibility()) continue;
    const list = element.closest('.results')?.getBoundingClientRect();
    if (list && (box.top < list.top || box.bottom > list.bottom)) continue; // scrolled out
    const name = `${element.tagName} ${element.id || element.className} ${element.textContent.slice(0, 30)}`;
    const style = getComputedStyle(element);
    const ring = element === tv.focused() ? parseFloat(style.outlineWidth) + parseFloat(style.outlineOffset) : 0;
    const [left, top, right, bottom] = [96, 54, 1824, 1026].map((edge) => edge * scale);
    if (box.left - ring < left || box.top - ring < top || box.right + ring > right || box.bottom + ring > bottom) {
      problems.push(`${name}: outside the safe area`);
    }
    if (element.scrollWidth > element.clientWidth + 2 && style.display !== 'inline') problems.push(`${name}: cut off`);
    if (parseFloat(style.fontSize) < 28 * scale) problems.push(`${name}: letters too small`);
    const below = ground(element);
    if (below && element.textContent && contrast(style.color, below) < 4.5) problems.push(`${name}: too little contrast`);
  }
  const focused = tv.focused();
  if (focused === document.body) problems.push('nothing has the focus');
  else if (!focused.matches('h1') && getComputedStyle(focused).outlineStyle === 'none') problems.push('the focus is invisible');
  else {
    const box = focused.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    if (!focused.contains(tv.root().elementFromPoint(x, y))) problems.push('the focus is covered');
  }
  if (document.documentElement.lang === '') problems.push('the page has no language');
  return problems;
})()"""

WAY = r"""(() => { const PREFER = 0;
  const target = tv.root().getElementById(ID);
  if (!target) return 'ArrowDown';
  if (tv.focused() === target) return '';
  const here = tv.focused().getBoundingClientRect(), there = target.getBoundingClientRect();
  const x = there.left + there.width / 2 - here.left - here.width / 2;
  const y = there.top + there.height / 2 - here.top - here.height / 2;
  const ways = [x > 0 ? 'ArrowRight' : 'ArrowLeft', y > 0 ? 'ArrowDown' : 'ArrowUp'];
  return (Math.abs(x) > Math.abs(y)) === (PREFER === 0) ? ways[0] : ways[1]; })()"""
