// Tests which changes a reload applies at once, and which wait for a restart. operations.md §2.

import PassSystem
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

@Suite struct ReloadPlanTests {
    private struct Refusal: Error {}

    private func plan(_ old: LoadedConfiguration, _ new: LoadedConfiguration) throws -> ReloadPlan {
        guard case .accepted(let plan) = ReloadPlan.decide(from: old, to: new) else {
            throw Refusal()
        }
        return plan
    }

    @Test(arguments: [
        "", "# a comment\n", "burst = 10\norigin = HTTPS://api.example:443/\nrequest-timeout = 15000ms\n",
    ])
    func `another spelling of the same value is not a change`(text: String) throws {
        let origin = "[backend]\norigin = https://api.example\n"
        let (old, text) = (try Workspace().load(origin), origin + text)
        #expect(try plan(old, try Workspace().load(text)).isEmpty)
    }

    @Test(arguments: [
        ("backend", "origin", "https://api.example"), ("backend", "protocol", "v1"), ("storage", "directory", "/x"),
        ("storage", "sealing", "none"), ("device", "identity", "file:/x"), ("daemon", "socket", "/x/passd.sock"),
    ])
    func `a change that needs a restart is reported, and the old value stays`(
        section: String, key: String, value: String
    ) throws {
        let old = Workspace().load()
        let plan = try plan(old, try Workspace().load("[\(section)]\n\(key) = \(value)\n"))
        #expect(plan.needingRestart.map(\.name) == [Setting.Name(section, key)])
        #expect(plan.takingEffect.isEmpty)
        #expect(plan.inForce.configuration == old.configuration)
        #expect(plan.changedLines.isEmpty && plan.waitingLines.count == 1)
        let line = plan.waitingLines.first ?? ""
        #expect(line.hasPrefix("[\(section)] \(key): ") && line.hasSuffix(":2"), "\(line)")
        #expect(!line.contains(value), "a value may be a secret")
    }

    @Test func `a change that waits for a restart is reported again at the next reload`() throws {
        let old = Workspace().load()
        let new = try Workspace().load("[backend]\nprotocol = v1\n")
        let first = try plan(old, new)
        #expect(try plan(first.inForce, new).needingRestart.count == 1)
        #expect(try plan(first.inForce, old).isEmpty)
    }

    @Test(arguments: [
        ("daemon", "log-level", "debug", Setting.Effect.atOnce),
        ("limits", "sessions-per-user", "3", .forNewSessions), ("sign-on", "remember-provider", "off", .atOnce),
        ("limits", "message-size", "2MiB", .forNewSessions),
    ])
    func `all other changes apply without a restart`(
        section: String, key: String, value: String, effect: Setting.Effect
    ) throws {
        let new = try Workspace().load("[\(section)]\n\(key) = \(value)\n")
        let plan = try plan(Workspace().load(), new)
        #expect(plan.takingEffect.map(\.effect) == [effect])
        #expect(plan.needingRestart.isEmpty)
        #expect(plan.inForce.configuration == new.configuration)
    }

    @Test func `if one reload has both kinds of change, they are reported separately`() throws {
        let new = try Workspace().load("[backend]\nprotocol = v1\n[daemon]\nlog-level = debug\n")
        let plan = try plan(Workspace().load(), new)
        #expect(plan.changes.map(\.name.key) == ["log-level", "protocol"])
        #expect(plan.inForce.configuration.daemon.logLevel == .debug)
        #expect(plan.inForce.configuration.backend.version == .v2)
    }

    @Test func `after an invalid configuration the old one stays in force`() throws {
        let new = try Workspace().load("[backend]\nburst = many\n[daemon]\nlog-level = debug\n")
        #expect(ReloadPlan.decide(from: Workspace().load(), to: new) == .refused(new.problems))
        #expect(new.problems.count == 1)
    }

    @Test func `new, removed and changed apps are named`() throws {
        func stanza(_ name: String, _ user: String) -> String {
            "[app \(name)]\nrequestors = A\nallow = user:\(user)\n"
        }
        let old = try Workspace().load(apps: stanza("a", "kodi") + stanza("b", "kodi") + stanza("c", "kodi"))
        let new = try Workspace().load(apps: "# moved\n" + stanza("d", "1") + stanza("c", "1") + stanza("a", "kodi"))
        let plan = try plan(old, new)
        #expect(plan.apps == ReloadPlan.AppChanges(added: ["d"], removed: ["b"], changed: ["c"]))
        #expect(plan.inForce.apps.map(\.name) == ["a", "c", "d"])
    }

    @Test func `a statement that becomes readable is a change`() throws {
        let text = "[app a]\nrequestors = A\nsoftware-statement = file:/a.jwt\nallow = user:kodi\n"
        let workspace = Workspace()
        workspace.resources.readStatement = { _ in .failure(.init("cannot be read")) }
        let old = try workspace.load(apps: text)
        workspace.resources.readStatement = Workspace.resources.readStatement
        #expect(try plan(old, workspace.load()).apps.changed == ["a"])
    }
}
