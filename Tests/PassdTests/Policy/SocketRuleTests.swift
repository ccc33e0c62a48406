// Tests rules with a socket, for apps in containers. Peers of an app's socket match only rules with this socket, and other
// peers match no such rule. docs/decisions/0023.

import PassProtocol
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer
@testable import PassSystem

@Suite("ruling 55") struct SocketRuleTests {
    private static let apps = """
        [app news]
        requestors = NEWS
        allow = socket:news
        [app native]
        requestors = NATIVE
        allow = user:kodi
        [app sport]
        requestors = SPORT
        allow = socket:sport+user:kodi
        [app two]
        requestors = TWO
        allow = socket:news+unit:tv.service user:kodi+unit:tv.service
        """

    private static func policy(sameUser: Bool = false) throws -> Policy {
        Policy(stanzas: try Workspace().load(apps: apps).apps, ownUser: 990, allowsSameUser: sameUser)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let peer: PeerFacts
        /// The apps that the peer matches.
        let apps: [String]

        init(_ name: String, _ user: UInt32, _ socket: String?, in unit: String? = nil, is apps: [String]) {
            (testDescription, self.apps) = (name, apps)
            peer = PeerFacts(user: user, unit: unit, socket: socket)
        }
    }

    @Test(arguments: [
        Case("any user at the socket of a rule without a user", 4711, "news", is: ["news"]),
        Case("root at this socket", 0, "news", is: ["news"]),
        Case("the user of another rule at this socket", 1000, "news", is: ["news"]),
        Case("the required user", 1000, "sport", is: ["sport"]),
        Case("another user", 1001, "sport", is: []),
        Case("the user at the socket of all apps", 1000, nil, is: ["native"]),
        Case("the required unit", 7, "news", in: "tv.service", is: ["news", "two"]),
        Case("the same unit at the socket of all apps", 1000, nil, in: "tv.service", is: ["native", "two"]),
        Case("a socket that no rule names", 1000, "other", is: []),
    ])
    func `a rule with a socket matches only its peers, and other rules match no peer of an app's socket`(
        row: Case
    ) throws {
        let policy = try Self.policy()
        let standing = policy.standing(of: row.peer, on: .api)
        #expect(standing.matches.map { policy.stanzas[$0.stanza].name } == row.apps)
    }

    @Test func `in development no container has the rights of the daemon's own user`() throws {
        let policy = try Self.policy(sameUser: true)
        #expect(policy.standing(of: PeerFacts(user: 990), on: .api).privilege != nil)
        #expect(policy.standing(of: PeerFacts(user: 990, socket: "other"), on: .api).isStranger)
    }

    @Test(arguments: [
        ("news", UInt32(1000), "NATIVE", "needs the socket of all apps, but the peer came through the socket news"),
        (nil, 1000, "NEWS", "needs the socket news, but the peer came through the socket of all apps"),
        ("news", 1000, "SPORT", "needs the socket sport, but the peer came through the socket news"),
        ("sport", 1001, "SPORT", "needs user 1000, but the peer is user 1001"),
    ])
    func `an explanation says why a peer of another socket is denied`(
        socket: String?, user: UInt32, requestor: String, reason: String
    ) throws {
        let question = PolicyExplain.Params(
            uid: user, socket: socket, method: "getAuthorization", requestorID: requestor)
        let sight = Confinement(network: true, units: true)
        let answer = try Self.policy().explain(question, about: PeerFacts(user: user, socket: socket), seeing: sight)
        #expect(!answer.allowed && answer.rule.contains(reason), "\(answer.rule)")
    }

    @Test func `an app in a container can use no method of the admin socket`() throws {
        let sight = Confinement(network: true, units: true)
        let question = PolicyExplain.Params(uid: 0, socket: "news", method: "passd.status")
        #expect(
            !(try Self.policy().explain(question, about: PeerFacts(user: 0, socket: "news"), seeing: sight).allowed))
    }

    @Test func `a peer is expected only at the socket of its rule`() throws {
        let policy = try Self.policy()
        #expect(policy.prospect(user: 1000, on: .app("sport")) { [] } == .named)
        #expect(policy.prospect(user: 1001, on: .app("sport")) { [] } == .stranger)
        #expect(policy.prospect(user: 1001, on: .app("news")) { [] } == .member)
        #expect(policy.prospect(user: 1000, on: .app("other")) { [] } == .stranger)
        #expect(policy.prospect(user: 1001, on: .api) { [] } == .stranger)
    }

    @Test func `the rule of the gateway holds for no peer of an app's socket`() throws {
        let rule = try AllowRule.gateway("user:77") { _ in nil }
        #expect(rule.holds(for: PeerFacts(user: 77)))
        #expect(!rule.holds(for: PeerFacts(user: 77, socket: "news")))
    }

    @Test(arguments: [
        ("socket:news", nil), ("socket:news+user:kodi", nil), ("socket:News.24_a-b+unit:a.service", nil),
        ("socket:", "expected socket:NAME"), ("socket:../passd", "expected socket:NAME"),
        ("socket:.hidden", "expected socket:NAME"),
        ("socket:\(String(repeating: "a", count: 49))", "expected socket:NAME"),
        ("socket:a+socket:b", "expected one socket: in a rule"),
        ("socket:a+user:kodi+origin:https://a.example", "socket: and origin: exclude each other"),
        ("sockt:a", "nearest: socket:"),
    ])
    func `a socket has the name of a file, and a rule has one socket and no origin`(
        rule: String, fault: String?
    ) throws {
        let loaded = try Workspace().load(apps: "[app a]\nrequestors = A\nallow = \(rule)\n")
        #expect(loaded.problems.contains { $0.message.contains(fault ?? "allow = ") } == (fault != nil))
        #expect(loaded.apps.count == (fault == nil ? 1 : 0), "\(loaded.problems)")
    }

    // MARK: The sockets that rules require

    private static func sockets(_ rules: String...) throws -> (sockets: AppSockets, problems: [String]) {
        let text = rules.enumerated().map { "[app a\($0)]\nrequestors = A\($0)\nallow = \($1)\n" }.joined()
        let loaded = try Workspace().load(apps: text)
        return (AppSockets(of: loaded.apps), loaded.problems.map(\.message))
    }

    @Test func `each name has one socket, and users reach the sockets only if a rule names a user`() throws {
        let closed = try Self.sockets("socket:b socket:a", "socket:b+user:0", "user:kodi")
        #expect(closed.sockets.names == ["a", "b"] && !closed.sockets.areForUsers && closed.problems.isEmpty)
        #expect(try Self.sockets("socket:a+user:kodi").sockets.areForUsers)
        #expect(try Self.sockets("socket:a+group:video").sockets.areForUsers)
    }

    @Test func `a rule with only a socket is warned about if users reach the sockets`() throws {
        let problems = try Self.sockets("socket:a", "socket:b+user:kodi", "socket:c+unit:c.service").problems
        #expect(problems.count == 1 && problems[0].hasPrefix("app a0, socket:a: every program of this box"))
    }

    @Test func `the number of sockets is limited`() throws {
        let rules = (0...AppSockets.maxCount).map { "socket:a\(1000 + $0)" }
        let text = rules.enumerated().map { "[app \($0)]\nrequestors = A\($0)\nallow = \($1)\n" }.joined()
        let many = try Workspace().load(apps: text)
        #expect(AppSockets(of: many.apps).names.count == AppSockets.maxCount)
        #expect(many.problems.map(\.severity) == [.useless] && !many.canWork && many.isClear)
    }

    @Test(arguments: [
        ("/run/passd/passd.sock", "/run/passd-apps"), ("/run/passd@room1/passd.sock", "/run/passd-apps@room1"),
        ("/tmp/box/passd.sock", "/tmp/box/apps"), ("/run/passd-test/api", "/run/passd-test/apps"),
        ("/passd.sock", "/apps"),
    ])
    func `the sockets of apps are beside the socket of all apps, but not in a directory with it`(
        socket: String, directory: String
    ) throws {
        let loaded = try Workspace().load("[daemon]\nsocket = \(socket)\n")
        #expect(loaded.configuration.daemon.appSockets == directory)
    }

    @Test func `the longest name fits into the directory of the instance with the longest name`() {
        let name = String(repeating: "n", count: AppSockets.maxNameLength)
        let directory = "/run/passd-apps@" + String(repeating: "i", count: 20)
        #expect(AppSockets.path(of: name, in: directory).utf8.count <= 107)
    }
}
