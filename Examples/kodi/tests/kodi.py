"""Kodi on a virtual screen, and a viewer with a remote control."""

import functools
import json
import os
import shutil
import signal
import socket
import struct
import subprocess
import time
import zlib

SETTINGS = {
    "services.esenabled": "true",  # the JSON-RPC of programs on this machine
    "services.zeroconf": "false",
    "services.wsdiscovery": "false",
    "general.addonupdates": "2",  # never
    "audiooutput.guisoundmode": "0",
    "videoplayer.usevaapi": "false",
    "videoplayer.usevdpau": "false",
}


class Failure(Exception):
    pass


def until(fact, within=60, pause=0.03):
    """Waits until `fact` is true, and returns its value."""
    deadline = time.monotonic() + within
    while not (value := fact()):
        if time.monotonic() > deadline:
            return value
        time.sleep(pause)
    return value


def free_port(kind):
    with socket.socket(socket.AF_INET, kind) as any_port:
        any_port.bind(("127.0.0.1", 0))
        return any_port.getsockname()[1]


class Screen:
    """An X server that keeps the content of its screen in a file."""

    def __init__(self, folder, width, height):
        self.file = folder / "Xvfb_screen0"
        numbers, written = os.pipe()
        with open(folder / "xvfb.log", "wb") as log:
            self.process = subprocess.Popen(
                ["Xvfb", "-displayfd", str(written), "-screen", "0", f"{width}x{height}x24", "-fbdir", folder, "-nolisten", "tcp"],
                pass_fds=[written], stdout=log, stderr=log)
        os.close(written)
        with open(numbers) as answer:
            number = answer.readline().strip()
        if not number:
            raise Failure("Xvfb does not start: " + (folder / "xvfb.log").read_text())
        self.name = ":" + number

    def picture(self):
        """The screen as PNG. The file has the format of xwd: 25 numbers, a colour table, and lines of blue, green, red, 0."""
        dump = self.file.read_bytes()
        head = struct.unpack_from(">25I", dump)
        start, width, height, stride = head[0] + 12 * head[19], head[4], head[5], head[12]
        lines = bytearray()
        for top in range(start, start + height * stride, stride):
            line = dump[top:top + 4 * width]
            colours = bytearray(3 * width)
            colours[0::3], colours[1::3], colours[2::3] = line[2::4], line[1::4], line[0::4]
            lines += b"\0" + colours

        def chunk(kind, body):
            return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

        return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0)) +
                chunk(b"IDAT", zlib.compress(lines, 3)) + chunk(b"IEND", b""))

    def close(self):
        self.process.terminate()
        self.process.wait(10)


class Kodi:
    """A Kodi with its own home folder, which contains only these add-ons."""

    def __init__(self, folder, screen, addons, settings, environment):
        self.screen, self.folder = screen, folder
        self.port, self.last = free_port(socket.SOCK_STREAM), 0
        data = folder / "kodi/.kodi"
        (data / "userdata/addon_data").mkdir(parents=True)
        for addon in addons:
            shutil.copytree(addon, data / "addons" / addon.name)
        write_settings(data / "userdata/guisettings.xml",
                       {**SETTINGS, "services.esport": str(free_port(socket.SOCK_DGRAM))})
        for addon, values in settings.items():
            (data / "userdata/addon_data" / addon).mkdir()
            write_settings(data / "userdata/addon_data" / addon / "settings.xml", values)
        (data / "userdata/advancedsettings.xml").write_text(
            f"<advancedsettings><splash>false</splash><jsonrpc><tcpport>{self.port}</tcpport></jsonrpc></advancedsettings>")
        self.log = data / "temp/kodi.log"
        with open(folder / "kodi.out", "wb") as out:
            self.process = subprocess.Popen(
                ["kodi", "--standalone", "--windowing=x11"], start_new_session=True, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                env={**os.environ, **environment, "HOME": str(folder / "kodi"), "PATH": "/usr/bin:/bin",
                     "DISPLAY": screen.name, "LC_ALL": "C.UTF-8",
                     "LIBGL_ALWAYS_SOFTWARE": "1"})
        try:
            if not until(self.answers, 40, 0.1):
                raise Failure("Kodi does not start")
            # Kodi asks whether to enable add-ons that were installed as files, and shows the settings.
            self.wait("Window.IsActive(yesnodialog)", "System.CurrentControl=No").press("Left")
            self.wait("System.CurrentControl=Yes").press("Select")
            self.wait("Window.IsActive(addonsettings)", "System.CurrentControl=")
            if not until(lambda: self.info("System.CurrentControl") == "OK" or not self.press("Right"), 20, 0.3):
                raise Failure("the arrow keys do not lead to OK")
            self.press("Select")
            self.wait("!Window.IsActive(addonsettings)")
        except BaseException:
            self.close()
            raise

    def answers(self):
        if self.process.poll() is not None:
            raise Failure("Kodi has ended: " + (self.folder / "kodi.out").read_text())
        try:
            return self.call("JSONRPC.Ping") == "pong" and self.info("Window.IsActive(home)")
        except OSError:
            return False

    def call(self, method, **params):
        self.last += 1
        question = json.dumps({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params})
        with socket.create_connection(("127.0.0.1", self.port), timeout=20) as connection:
            connection.sendall(question.encode())
            unread = ""
            while True:
                more = connection.recv(1 << 16).decode()
                if not more:
                    raise OSError("Kodi has closed the connection")
                unread += more
                # Notifications may come before the answer.
                for message in whole_messages(unread):
                    if message.get("id") == self.last:
                        if "error" in message:
                            raise Failure(f"{method}: {message['error']}")
                        return message["result"]

    def info(self, *facts):
        """Kodi's state: conditions as truth values, and labels as texts."""
        conditions = [fact for fact in facts if "=" not in fact and (".Is" in fact or ".Has" in fact)]
        labels = [fact for fact in facts if fact not in conditions]
        answers = {}
        if conditions:
            answers |= self.call("XBMC.GetInfoBooleans", booleans=conditions)
        if labels:
            answers |= self.call("XBMC.GetInfoLabels", labels=labels)
        return answers[facts[0]] if len(facts) == 1 else [answers[fact] for fact in facts]

    def wait(self, *facts, within=60):
        """Waits until all conditions hold; `label=text` means that the label contains the text."""
        def hold():
            return all(self.holds(*fact.partition("=")[::2]) for fact in facts)

        if not until(hold, within):
            labels = ["System.CurrentWindow", "System.CurrentControl", *(fact.partition("=")[0] for fact in facts)]
            raise Failure(f"timeout while waiting for {facts}; now: {dict(zip(labels, self.info(*labels)))}")
        return self

    def holds(self, fact, text):
        value = self.info(fact)
        return text in value if text else bool(value)

    def press(self, *keys):
        for key in keys:
            self.call("Input." + key)
        return self

    def go_home(self):
        """Goes to the home screen. Kodi does not leave a window while its list is reloading, so this function retries."""
        def leaves():
            self.call("GUI.ActivateWindow", window="home")
            return until(functools.partial(self.info, "Window.IsActive(home)"), 1)

        if not until(leaves, 20):
            raise Failure("Kodi does not go to its first screen")

    def items(self):
        """The labels of the list on the screen."""
        count = self.info("Container.NumAllItems")
        if not int(count or 0):
            return []
        labels = [f"Container.ListItemAbsolute({index}).Label" for index in range(int(count))]
        answer = self.call("XBMC.GetInfoLabels", labels=labels)
        return [answer[label] for label in labels]

    def list(self, *texts, within=60):
        """Waits for a list with these texts on its lines."""
        def shows():
            items = self.items()
            return len(items) >= len(texts) and all(any(text in item for item in items) for text in texts)

        if not until(shows, within, 0.1):
            raise Failure(f"timeout while waiting for the lines {texts}; now: {self.items()}")
        return self.wait("!Window.IsActive(busydialog)", "!Container.IsUpdating")

    def settle(self):
        """Waits for the list. If the add-on's service got an event while the window was hidden, it lists the channels again
        within two seconds. Keys pressed meanwhile are lost."""
        until(functools.partial(self.info, "Container.IsUpdating"), 2)
        return self.wait("!Window.IsActive(busydialog)", "!Container.IsUpdating")

    def until_told(self):
        """Waits until the last notification has left the screen. While a notification fades out, Kodi loses the next
        notification."""
        return self.wait("!Window.IsVisible(notification)", within=60)

    def focus(self, text):
        """Goes to the line that begins with this text."""
        focused = functools.partial(self.info, "Container.ListItem.Label")
        for _ in range(12):
            if focused().startswith(text):
                return self
            before = focused()
            self.press("Down")
            until(lambda: focused() != before, 10)
        raise Failure(f"the arrow keys do not lead to {text}, but to {focused()}")

    def close(self):
        try:
            self.call("Application.Quit")
            self.process.wait(15)
        except (OSError, Failure, subprocess.TimeoutExpired):
            pass
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(10)


def whole_messages(text):
    decoder, text = json.JSONDecoder(), text.lstrip()
    while text:
        try:
            message, end = decoder.raw_decode(text)
        except ValueError:
            return
        yield message
        text = text[end:].lstrip()


def write_settings(path, values):
    lines = "".join(f'<setting id="{name}">{value}</setting>' for name, value in values.items())
    path.write_text(f'<settings version="2">{lines}</settings>')
