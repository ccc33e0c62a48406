// Tests single values: units, origins, sources. operations.md §2.

import PassJSON
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

@Suite struct ValueTests {
    @Test(
        arguments: [
            ("500ms", 500), ("5s", 5000), ("3min", 180_000), ("2h", 7_200_000), ("1min 30s", 90_000), ("0s", 0),
        ] as [(String, Int64)])
    func `a duration is a number with its unit`(text: String, milliseconds: Int64) {
        #expect(Quantity.milliseconds(text) == milliseconds)
    }

    @Test(arguments: [
        "", "5", "s", "5 s", "-5s", "1.5s", "5S", "5sec", "٥s", "99999999999999999999s", "9223372036854775807h",
    ])
    func `any other text is not a duration`(text: String) { #expect(Quantity.milliseconds(text) == nil) }

    @Test(arguments: [("512B", 512), ("4KiB", 4096), ("1MiB", 1 << 20), ("2GiB", 2 << 30)] as [(String, Int64)])
    func `a size is a number with its unit`(text: String, bytes: Int64) { #expect(Quantity.bytes(text) == bytes) }

    @Test(arguments: ["", "1", "1M", "1MB", "1mib", "1.5MiB", "-1B", "99999999999GiB"])
    func `any other text is not a size`(text: String) { #expect(Quantity.bytes(text) == nil) }

    /// The values that each key accepts, and the results.
    @Test(arguments: [
        ("backend", "origin", "https://api.example"), ("backend", "origin", "https://api.example:8443/"),
        ("backend", "origin", "http://localhost:1"), ("backend", "origin", "http://127.3.2.1"),
        ("backend", "origin", "http://[::1]:8642"), ("backend", "protocol", "v1"),
        ("backend", "requests-per-second", "0.5"), ("backend", "activation-url", "http://box.lan:8642/activate"),
        ("backend", "redirect-url", "app.news://back"), ("backend", "domain-name", "news.example"),
        ("backend", "certificate-authorities", "/etc/ca.pem"), ("backend", "proxy", "http://proxy.lan:3128"),
        ("backend", "proxy", "none"), ("device", "identity", "file:/etc/serial"),
        ("device", "identity", "machine-id+file:/etc/serial"), ("device", "model", "Größe 4"),
        ("storage", "sealing", "none"), ("storage", "integrity-check", "clear"), ("limits", "message-size", "64KiB"),
        ("sign-on", "platform-identity", "command:/usr/bin/vouch"), ("sign-on", "service-token", "file:/run/token"),
        ("sign-on", "partner", "command:/usr/bin/partner"), ("sign-on", "passive-authentication", "on"),
        ("daemon", "log-level", "debug"), ("daemon", "socket", "/tmp/x/passd.sock"),
    ])
    func `a valid value is accepted`(section: String, key: String, text: String) throws {
        let setting = try #require(SettingTable.find(Setting.Name(section, key)))
        #expect(setting.fault(in: text) == nil)
    }

    @Test(arguments: [
        ("backend", "origin", "http://api.example"), ("backend", "origin", "http://127.0.0.1.example"),
        ("backend", "origin", "https://api.example/path"), ("backend", "origin", "ftp://api.example"),
        ("backend", "origin", "https://user@api.example"), ("backend", "origin", "https://"),
        ("backend", "origin", "api.example"), ("backend", "protocol", "v3"), ("backend", "protocol", "V2"),
        ("backend", "connect-timeout", "5"), ("backend", "connect-timeout", "0s"),
        ("backend", "request-timeout", "1h"), ("backend", "request-timeout", "16s"),
        ("backend", "requests-per-second", "0"),
        ("backend", "requests-per-second", "nan"), ("backend", "requests-per-second", "1e1"),
        ("backend", "burst", "0"), ("backend", "burst", "-1"), ("backend", "burst", "99999999999999999999"),
        ("backend", "activation-url", "javascript://x"), ("backend", "activation-url", "https://a b"),
        ("backend", "redirect-url", "://x"), ("backend", "redirect-url", "1a://x"),
        ("backend", "domain-name", "news..example"), ("backend", "domain-name", "-news.example"),
        ("backend", "certificate-authorities", "ca.pem"), ("backend", "proxy", "https://proxy.lan:3128"),
        ("backend", "proxy", "http://user:pw@proxy.lan"), ("device", "identity", "file:serial"),
        ("device", "identity", "serial"), ("device", "identity", "machine-id+file:serial"),
        ("device", "hardware-type", "Toaster"),
        ("device", "model", String(repeating: "x", count: 129)), ("storage", "directory", "state"),
        ("storage", "sealing", "maybe"), ("storage", "integrity-check", "some"), ("limits", "message-size", "1"),
        ("limits", "message-size", "1GiB"), ("limits", "sessions-per-user", "many"),
        ("sign-on", "platform-identity", "command:vouch"), ("sign-on", "platform-identity", "file:/x"),
        ("sign-on", "service-token", "command:"), ("sign-on", "partner", "file:/x"),
        ("sign-on", "remember-provider", "sometimes"), ("daemon", "log-level", "loud"),
        ("daemon", "socket", "passd.sock"), ("daemon", "socket", "/run/passd/admin.sock"),
        ("daemon", "socket", "/run/"),
        ("daemon", "socket", "/" + String(repeating: "x", count: 107)),
    ])
    func `an invalid value is refused`(section: String, key: String, text: String) throws {
        let setting = try #require(SettingTable.find(Setting.Name(section, key)))
        #expect(setting.fault(in: text) != nil)
    }

    @Test func `plain HTTP to another machine is refused with the reason`() throws {
        let setting = try #require(SettingTable.find(Setting.Name("backend", "origin")))
        #expect(setting.fault(in: "http://api.example")?.description.contains("this machine only") == true)
    }

    @Test(arguments: [("orgin", "origin"), ("Burst", "burst"), ("request_timeout", "request-timeout")])
    func `the nearest known word is found`(word: String, known: String) {
        #expect(Spelling.nearest(to: word, among: SettingTable.all.map(\.name.key)) == known)
    }

    @Test func `a word without similar known words has no nearest word`() {
        #expect(Spelling.nearest(to: "quux", among: ["origin", "burst"]) == nil)
        #expect(Spelling.nearest(to: String(repeating: "x", count: 10_000), among: ["origin"]) == nil)
    }
}
