// Tests a later stanza of the same name, which may allow less than an earlier stanza. If the later stanza cannot be
// read, the earlier stanza does not take effect again. operations.md §2.

import Glibc
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

@Suite struct NarrowingTests {
    private static let wide = "[app tv]\nrequestors = TV\nallow = user:kodi group:video\n"
    private static let narrow = "[app tv]\nrequestors = TV\nallow = user:kodi\n"
    private static let other = "[app radio]\nrequestors = R\nallow = user:kodi\n"

    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let make: @Sendable (Workspace, String) throws -> Void
    }

    private static func text(_ description: String, _ text: String) -> Damage {
        Damage(testDescription: description) { try $0.write($1, text) }
    }

    nonisolated static let damages: [Damage] = [
        text("too large", narrow + String(repeating: "#", count: 1 << 20)),
        Damage(testDescription: "a folder") { try $0.makeDirectory($1) },
        Damage(testDescription: "a link that leads nowhere") { try $0.link($1, to: "/nowhere/at/all") },
        Damage(testDescription: "a pipe") { #expect(mkfifo($0.file($1), 0o600) == 0) },
        text("a cut header", narrow.replacing("[app tv]", with: "[app tv")),
        text("a header without its beginning", narrow.replacing("[app tv]", with: "app tv]")),
        text("no header", narrow.replacing("[app tv]\n", with: "")),
        text("a header with a NUL", narrow.replacing("[app tv]", with: "[app t\0]")),
        text("zeros", String(repeating: "\0", count: 100)),
        text("a header of another spelling", narrow.replacing("[app tv]", with: "[apps tv]")),
        text("a name that is none", narrow.replacing("[app tv]", with: "[app t/v]")),
        text("the whole, and a cut header", narrow + "[app o\n"),
    ]

    @Test(arguments: damages)
    func `a reload keeps the old policy and names the file, and a start rejects the earlier stanzas`(
        _ damage: Damage
    ) throws {
        let workspace = Workspace()
        let (vendor, lock) = ("etc/passd/apps.d/10-vendor.conf", "etc/passd/apps.d/50-lock.conf")
        try workspace.write(vendor, Self.wide)
        try workspace.write(lock, Self.narrow)
        try workspace.write("etc/passd/apps.d/90-other.conf", Self.other)
        let before = workspace.load()
        #expect(before.isClear && before.apps.map { $0.allow.map(\.text) } == [["user:kodi"], ["user:kodi"]])
        #expect(unlink(workspace.file(lock)) == 0)
        try damage.make(workspace, lock)
        let loaded = workspace.load()
        guard case .refused(let problems) = ReloadPlan.decide(from: before, to: loaded) else {
            Issue.record("the reload is accepted")
            return
        }
        #expect(problems.contains { $0.severity == .unclear && $0.place.file == workspace.file(lock) })
        // The file cannot replace the stanzas after it.
        #expect(loaded.isUsable && loaded.apps.map(\.name) == ["radio"])
        let messages = problems.map(\.message)
        #expect(messages.contains { $0.contains("passd denies these apps") && $0.hasSuffix(": tv") }, "\(messages)")
    }

    @Test func `a folder that cannot be listed may replace only stanzas of the folders before it`()
        throws
    {
        for (broken, names) in [("usr/lib", ["tv"]), ("etc", [])] {
            let workspace = Workspace()
            let good = broken == "etc" ? "usr/lib" : "etc"
            try workspace.write("\(good)/passd/apps.d/a.conf", Self.wide)
            try workspace.write("\(broken)/passd/apps.d", "I am a file")
            let loaded = workspace.load()
            #expect(loaded.isUsable && !loaded.isClear && loaded.apps.map(\.name) == names)
        }
    }

    @Test func `apps over the limit are denied and named`() throws {
        let workspace = Workspace()
        let stanzas = (1000..<5098).map { Self.narrow.replacing("tv", with: "tv\($0)") }
        try workspace.write("etc/passd/apps.d/all.conf", stanzas.joined())
        let loaded = workspace.load()
        #expect(loaded.isUsable && loaded.apps.count == 4096 && loaded.apps.last?.name == "tv5095")
        #expect(
            loaded.problems.contains {
                $0.severity == .ignored && $0.message.hasPrefix("there are 4098 apps, but passd accepts at most 4096")
                    && $0.message.contains("passd denies app tv5096 and all apps after it")
            })
    }

    @Test func `files over the limit may replace the stanzas of all others`() throws {
        let workspace = Workspace()
        for number in 1000..<5097 {
            try workspace.write("etc/passd/apps.d/\(number).conf", Self.narrow.replacing("tv", with: "tv\(number)"))
        }
        let loaded = workspace.load()
        #expect(loaded.isUsable && !loaded.isClear && loaded.apps.isEmpty)
        #expect(loaded.problems.last?.message.hasSuffix("tv1007 and 4088 more") == true)
    }

    @Test func `a fault in a stanza with a known name affects only that stanza`() throws {
        let workspace = Workspace()
        try workspace.write("etc/passd/apps.d/10-vendor.conf", Self.wide + Self.other)
        try workspace.write("etc/passd/apps.d/99-lock.conf", Self.narrow + "nonsense\n[backend]\n")
        let loaded = workspace.load()
        #expect(loaded.isClear && loaded.apps.map(\.name) == ["radio"])
    }
}
