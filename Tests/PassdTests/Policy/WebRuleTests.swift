// Tests rules with an origin. Web apps never match stanzas of programs, and programs never match stanzas of web apps.
// docs/decisions/0021.

import PassProtocol
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer
@testable import PassSystem

@Suite struct WebRuleTests {
    private static let apps = """
        [app news]
        requestors = NEWS
        allow = user:kodi+origin:https://news.example
        [app native]
        requestors = NATIVE
        allow = user:kodi
        [app both]
        requestors = BOTH
        allow = user:kodi+unit:tv.service user:kodi+unit:cog.service+origin:https://tv.example
        """

    private static let news = "https://news.example"
    private static let tv = "https://tv.example"

    private static func policy(sameUser: Bool = false) throws -> Policy {
        Policy(stanzas: try Workspace().load(apps: apps).apps, ownUser: 990, allowsSameUser: sameUser)
    }

    private static func peer(_ user: UInt32, _ origin: String?, _ unit: String? = nil) throws -> PeerFacts {
        PeerFacts(user: user, unit: unit, origin: try origin.map { text in try WebOrigin(text) })
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let user: UInt32
        let origin: String?
        let unit: String?
        /// The apps that the peer matches.
        let apps: [String]

        init(_ name: String, user: UInt32 = 1000, _ origin: String?, in unit: String? = nil, is apps: [String]) {
            (testDescription, self.user, self.origin) = (name, user, origin)
            (self.unit, self.apps) = (unit, apps)
        }
    }

    @Test(arguments: [
        Case("a web app of that origin", news, is: ["news"]),
        Case("a program of the browser's user", nil, is: ["native"]),
        Case("the same origin in another user's browser", user: 1001, news, is: []),
        Case("another origin", "https://other.example", is: []),
        Case("the origin with another scheme", "http://news.example", is: []),
        Case("the origin with a port", "https://news.example:8443", is: []),
        Case("a subdomain", "https://a.news.example", is: []),
        Case("a program that matches both kinds of rule", nil, in: "tv.service", is: ["both", "native"]),
        Case("a web app in a unit of another rule", tv, in: "tv.service", is: []),
        Case("a web app in the required browser", tv, in: "cog.service", is: ["both"]),
        Case("a web app in a browser that the daemon cannot see", tv, is: []),
    ])
    func `a rule with an origin matches only that web app, and a rule without an origin matches no web app`(
        row: Case
    ) throws {
        let policy = try Self.policy()
        let standing = policy.standing(of: try Self.peer(row.user, row.origin, row.unit), on: .api)
        #expect(standing.matches.map { policy.stanzas[$0.stanza].name } == row.apps)
    }

    @Test func `in development no page has the rights of the daemon's own user`() throws {
        let policy = try Self.policy(sameUser: true)
        #expect(policy.standing(of: try Self.peer(990, nil), on: .api).privilege != nil)
        #expect(policy.standing(of: try Self.peer(990, Self.news), on: .api).isStranger)
    }

    @Test(arguments: [
        (news, UInt32(1000), "NATIVE", "has no origin, but the peer is a web app of https://news.example"),
        (nil, 1000, "NEWS", "the peer is not a web app that comes through the web gateway"),
        ("https://other.example", 1000, "NEWS", "the peer is a web app of https://other.example"),
        (news, 1001, "NEWS", "needs user 1000, but the peer is user 1001"),
    ])
    func `an explanation says why a web app or a program is denied`(
        origin: String?, user: UInt32, requestor: String, reason: String
    ) throws {
        let question = PolicyExplain.Params(
            uid: user, origin: origin, method: "getAuthorization", requestorID: requestor)
        let sight = Confinement(network: true, units: true)
        let answer = try Self.policy().explain(question, about: try Self.peer(user, origin), seeing: sight)
        #expect(!answer.allowed && answer.rule.contains(reason), "\(answer.rule)")
    }

    @Test func `a web app can use no method of the admin socket`() throws {
        let sight = Confinement(network: true, units: true)
        let question = PolicyExplain.Params(uid: 0, origin: Self.news, method: "passd.status")
        #expect(!(try Self.policy().explain(question, about: try Self.peer(0, Self.news), seeing: sight).allowed))
    }

    @Test func `a browser's user is expected at the gateway, not at the socket`() throws {
        let stanzas = try Workspace().load(
            apps: "[app a]\nrequestors = A\nallow = user:kodi+origin:https://a.example\n"
        ).apps
        let gateway = try AllowRule.gateway("user:77+unit:passd-web.service") { _ in nil }
        let policy = Policy(stanzas: stanzas, ownUser: 990, gateway: gateway)
        #expect(policy.prospect(user: 1000, on: .api) { [] } == .stranger)
        #expect(policy.prospect(user: 77, on: .api) { [] } == .named)
    }

    @Test(arguments: [
        ("none", true), ("user:passd-web+unit:passd-web.service", true),
        ("user:1000", true), ("user:1000+executable:/usr/bin/passd-web", false), ("unit:passd-web.service", false),
        ("user:1+group:1+unit:a.service", false),
        ("user:1+unit:a.service+origin:https://a.example", false),
        ("user:1+unit:a.service user:2+unit:b.service", false),
        ("passd-web.service", false),
    ])
    func `the gateway is named by its user, and can be named by its unit too`(text: String, isGood: Bool) throws {
        let loaded = try Workspace().load("[daemon]\nweb-gateway = \(text)\n")
        #expect(loaded.problems.contains { $0.message.hasPrefix("web-gateway = ") } == !isGood, "\(loaded.problems)")
        if isGood { #expect(loaded.configuration.daemon.webGateway == (text == "none" ? nil : text)) }
    }

    @Test func `a gateway with an unknown account matches no peer`() throws {
        let rule = try AllowRule.gateway("user:passd-web+unit:passd-web.service") { _ in nil }
        #expect(!rule.holds(for: PeerFacts(user: 0, unit: "passd-web.service")))
        #expect(!rule.holds(for: PeerFacts(user: .max, unit: "passd-web.service")))
    }
}
