// Uses a page in the browser as a viewer does: keys, touches, and what is visible.

import FoundationEssentials
import Glibc
import PassJSON
import Testing

@testable import PassSandbox

struct Screen {
    var name: String
    var width: Int64
    var height: Int64
    var scale: Int64 = 1
    var isPhone = false
    var isDark = false
    var hasScript = true

    static let phone = Screen(name: "phone", width: 360, height: 740, scale: 2, isPhone: true)
    static let phoneOnItsSide = Screen(name: "phone-side", width: 740, height: 360, scale: 2, isPhone: true)
    static let television = Screen(name: "tv", width: 1920, height: 1080)

    func dark() -> Screen {
        changed {
            $0.isDark = true; $0.name += "-dark"
        }
    }
    func withoutScript() -> Screen {
        changed {
            $0.hasScript = false; $0.name += "-noscript"
        }
    }

    private func changed(_ change: (inout Screen) -> Void) -> Screen {
        var copy = self
        change(&copy)
        return copy
    }
}

struct BrowserPage {
    let browser: Chromium
    let screen: Screen
    let origin: String

    init(_ screen: Screen, origin: String) throws {
        self.screen = screen
        self.origin = origin
        browser = try Chromium()
        _ = try browser.call(
            "Emulation.setDeviceMetricsOverride",
            [
                "width": .int(screen.width), "height": .int(screen.height), "deviceScaleFactor": .int(screen.scale),
                "mobile": .bool(screen.isPhone),
            ])
        _ = try browser.call(
            "Emulation.setEmulatedMedia",
            ["features": [["name": "prefers-color-scheme", "value": screen.isDark ? "dark" : "light"]]])
        _ = try browser.call("Emulation.setScriptExecutionDisabled", ["value": .bool(!screen.hasScript)])
    }

    func open(_ path: String) throws { _ = try browser.call("Page.navigate", ["url": .string(origin + path)]) }

    /// The value of an expression in the page.
    func see(_ expression: String) throws -> JSONValue {
        let answer = try browser.call(
            "Runtime.evaluate", ["expression": .string(expression), "returnByValue": true])
        if let failure = answer["exceptionDetails"] { throw ChromiumError(description: failure.text) }
        return answer["result"]?["value"] ?? .null
    }

    func wait(_ fact: String, within seconds: Double = 20) throws {
        let deadline = Deadline(seconds)
        while !deadline.isOver {
            if (try? see(fact)) == .bool(true) { return }
            try browser.listen()
        }
        let page = try? see("location.href + '\\n' + document.body?.innerText").string
        throw ChromiumError(description: "waited in vain for \(fact); the page: \(page ?? "none")")
    }

    /// Waits until the page with this heading is complete, and checks the rules for all pages.
    func arrive(_ heading: String, _ location: SourceLocation = #_sourceLocation) throws {
        try wait(
            "document.readyState === 'complete' && document.querySelector('h1')?.textContent === \(JSONValue.string(heading).text)"
        )
        let width = try see("Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)").int ?? 0
        #expect(width <= screen.width, "\(heading) is wider than the screen", sourceLocation: location)
        let small = try see(
            """
            [...document.querySelectorAll('button, input:not([type=hidden]), .button')]
              .filter(e => e.getBoundingClientRect().height < 40).map(e => e.outerHTML).join()
            """)
        #expect(small == "", "too small for a finger", sourceLocation: location)
    }

    func text() throws -> String { try see("document.body.innerText").string ?? "" }

    func focused() throws -> String {
        try see("document.activeElement.id || document.activeElement.value || document.activeElement.tagName").string
            ?? ""
    }

    /// Waits for the focus. A browser moves the focus only after it has drawn the page.
    func waitForFocus(_ id: String) throws { try wait("document.activeElement.id === \(JSONValue.string(id).text)") }

    func type(_ text: String) throws {
        for character in text {
            try key(String(character), text: String(character))
        }
    }

    func press(_ key: Key) throws { try self.key(key.rawValue, text: key.text, code: key.code) }

    enum Key: String {
        case tab = "Tab"
        case enter = "Enter"

        fileprivate var code: Int64 { self == .tab ? 9 : 13 }
        fileprivate var text: String? { self == .enter ? "\r" : nil }
    }

    private func key(_ name: String, text: String?, code: Int64 = 0) throws {
        func send(_ type: String, _ text: String?) throws {
            _ = try browser.call(
                "Input.dispatchKeyEvent",
                .members([
                    "key": .string(name), "windowsVirtualKeyCode": .int(code), "type": .string(type),
                    "text": text.map(JSONValue.string),
                ]))
        }
        try send(text == nil ? "rawKeyDown" : "keyDown", text)
        try send("keyUp", nil)
    }

    func click(_ selector: String) throws {
        let element = "document.querySelector(\(JSONValue.string(selector).text))"
        // The browser may still be reading the page.
        try wait("document.readyState === 'complete' && \(element) !== null")
        let place =
            try see(
                """
                (() => { const e = \(element); e.scrollIntoView({block: 'center', behavior: 'instant'});
                  const box = e.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; })()
                """
            ).array ?? []
        for kind in ["mousePressed", "mouseReleased"] {
            _ = try browser.call(
                "Input.dispatchMouseEvent",
                ["type": .string(kind), "x": place[0], "y": place[1], "button": "left", "clickCount": 1])
        }
    }

    /// Takes a screenshot if PASSD_SCREENSHOTS names a folder.
    func picture(_ name: String) throws {
        guard let folder = getenv("PASSD_SCREENSHOTS").map({ String(cString: $0) }) else { return }
        let image = try browser.call("Page.captureScreenshot", ["format": "png", "captureBeyondViewport": true])
        guard let bytes = image["data"]?.string.flatMap(decodeBase64) else { return }
        try Data(bytes).write(to: URL(filePath: "\(folder)/\(screen.name)-\(name).png"))
    }

    func leftTheSandbox() -> [String] {
        browser.requests.filter { !$0.hasPrefix(origin + "/") && !$0.hasPrefix("about:") }
    }
}
