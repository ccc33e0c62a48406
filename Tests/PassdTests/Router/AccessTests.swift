// Tests which calls are allowed, on which socket and for which app. rpc.md §1, §2, §7; operations.md §2.

import AccessEnabler
import Glibc
import PassJSON
import PassProtocol
import PassTestKit
import PassWire
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

@Suite struct AccessTests {
    nonisolated static let adminMethods = MethodTable.all.map { $0.definition }.filter { $0.socket == .admin }
        .map(\.name)

    @Test(arguments: adminMethods) func `rpc.md §7: an admin method does not exist on the api socket`(
        _ method: String
    ) async throws {
        // This applies even to an app that may do everything.
        let household = try await Household(apps: [.sample(may: [.entitlement, .observe, .admin])], sameUser: true)
        #expect(try await household.connect().exchange(method).fault == "METHOD_NOT_FOUND")
    }

    @Test func `policy is asked again for every call`() async throws {
        let household = try await Household()
        let visitor = try await household.app()
        try await visitor.call("checkAuthentication")
        await household.change { $0.policy = Policy(stanzas: [.sample("news24", ["SPORT"])], ownUser: 1) }
        let refused = try await visitor.exchange("checkAuthentication")
        #expect(refused.fault == "DENIED")
        #expect(refused.heard == [])
        await household.change { $0.policy = Policy(stanzas: [.sample()], ownUser: 1) }
        try await visitor.call("checkAuthentication")
    }

    @Test func `a refusal by policy is logged once with its reason, and counted`() async throws {
        let household = try await Household()
        let visitor = try await household.connect()
        let exchange = try await visitor.exchange("setRequestor", ["requestorID": "OTHER"])
        #expect(exchange.fault == "DENIED")
        #expect(exchange.answer["error"]?["message"]?.string?.contains("OTHER") == true)
        let lines = household.log.text.split(separator: "\n")
        #expect(lines.count == 1)
        #expect(lines.first?.contains("method=setRequestor requestor=OTHER") == true)
        #expect(await household.server.router.counts.denied == 1)
        #expect(await household.server.router.counts.failed == ["DENIED": 1])
    }

    @Test func `a peer with rights but without observe gets no events, and every peer may ask for its identity`()
        async throws
    {
        let household = try await Household(apps: [.sample(may: [.entitlement])])
        let visitor = try await household.connect()
        #expect(try await visitor.exchange("passd.subscribe").fault == "DENIED")
        let known = try await visitor.call("passd.whoami")
        #expect(known["may"] == ["entitlement"])
        #expect(known["identity"]?["app"] == "news24")
        let stranger = try await Household(apps: []).connect()
        #expect(try await stranger.call("passd.whoami")["may"] == [])
        #expect(try await stranger.call("passd.hello")["identity"]?["app"] == nil)
        try await stranger.call("rpc.discover")
    }

    struct Choice: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let apps: [AppStanza]
        var socket = SocketKind.api
        var sameUser = false
        /// The app; nil if the call is denied.
        let app: String?
    }

    nonisolated static let choices: [Choice] = [
        Choice(
            testDescription: "the first stanza by name that lists the requestor",
            apps: [.sample("zeta"), .sample("beta"), .sample("alpha", ["SPORT"])], app: "beta"),
        Choice(
            testDescription: "not a stanza that does not match the peer",
            apps: [.sample("alpha", user: 4_000_000), .sample("beta")], app: "beta"),
        Choice(
            testDescription: "not a stanza without the capability",
            apps: [.sample("alpha", may: [.observe]), .sample("beta")], app: "beta"),
        Choice(
            testDescription: "denied if the stanza that lists the requestor does not match",
            apps: [.sample("alpha", user: 4_000_000), .sample("beta", ["SPORT"])], app: nil),
        Choice(
            testDescription: "on the admin socket, the app that lists the requestor",
            apps: [.sample("alpha", user: 4_000_000)], socket: .admin, app: "alpha"),
        Choice(
            testDescription: "the same for the daemon's own user in development",
            apps: [.sample("alpha", user: 4_000_000)], sameUser: true, app: "alpha"),
    ]

    @Test(arguments: choices)
    func `if a peer matches several stanzas, one of them allows the call, and its app is registered`(
        _ choice: Choice
    ) async throws {
        let household = try await Household(apps: choice.apps, sameUser: choice.sameUser)
        let visitor = try await household.connect(choice.socket)
        await household.logsIn()
        let exchange = try await visitor.exchange("setRequestor", ["requestorID": "NEWS24"])
        #expect(exchange.fault == (choice.app == nil ? "DENIED" : nil))
        // This is the registration with which the login is stored.
        #expect(
            household.vault.contents.profiles.keys.map(\.registration.app.rawValue) == choice.app.map { [$0] } ?? [])
    }

    @Test func `an unusable statement leaves only this app without a registration, and the error says why`()
        async throws
    {
        let broken = AppStanza.sample(
            "news24", ["NEWS24"], .unusable(reason: "the software statement of app news24 is empty"))
        let household = try await Household(apps: [broken, .sample("sport", ["SPORT"])])
        let visitor = try await household.connect()
        let refused = try await visitor.exchange("setRequestor", ["requestorID": "NEWS24"])
        #expect(refused.fault == "R400")
        #expect(
            refused.answer["error"]?["message"] == "The software statement of app news24 is empty.")
        #expect(refused.answer["error"]?["data"]?["action"] == "application-registration")
        #expect(household.backend.calls.elements == [])
        try await visitor.call("setRequestor", ["requestorID": "SPORT"])
        try await visitor.call("setRequestor", ["requestorID": "NEWS24", "softwareStatement": "a.b.c"])
    }

    @Test func `an app without a statement must send its own, and is told so`() async throws {
        let household = try await Household(apps: [.sample("news24", ["NEWS24"], .absent)])
        let visitor = try await household.connect()
        let refused = try await visitor.exchange("setRequestor", ["requestorID": "NEWS24"])
        #expect(refused.fault == "R400")
        #expect(
            refused.answer["error"]?["data"]?["remedy"]
                == "Add software-statement to [app news24], or send the text as softwareStatement.")
        try await visitor.call("setRequestor", ["requestorID": "NEWS24", "softwareStatement": "a.b.c"])
    }

    @Test func `with --allow-same-user, an app without stanza and statement is told what to do`() async throws {
        let household = try await Household(apps: [], sameUser: true)
        let visitor = try await household.connect()
        let error = try await visitor.exchange("setRequestor", ["requestorID": "NEWS24"]).answer["error"]
        #expect(error?["data"]?["code"] == "R400")
        #expect(error?["message"] == "No [app] stanza lists requestor NEWS24, and the app sent no software statement.")
        #expect(
            error?["data"]?["remedy"]
                == .string(
                    "Write a stanza with requestors and software-statement, or send the text as softwareStatement. For "
                        + "the sandbox, `pass-sandbox statement APP` prints a statement, and `pass-sandbox box` has a "
                        + "stanza for each app."))
        #expect(error?["data"]?["action"] == "application-registration")
        try await visitor.call("setRequestor", ["requestorID": "NEWS24", "softwareStatement": "a.b.c"])
    }

    @Test func `on a developer's daemon, a refusal says what the developer can do`() async throws {
        let household = try await Household(apps: [.sample("news24", ["NEWS24"])], isForDevelopers: true)
        let error = try await household.connect().exchange("setRequestor", ["requestorID": "OTHER"]).answer["error"]
        #expect(error?["data"]?["code"] == "DENIED")
        let remedy = error?["data"]?["remedy"]?.string ?? ""
        #expect(
            remedy.hasPrefix(
                "Allow this in an [app] stanza. `pass-sandbox box` already has a stanza for each app of its catalogue"))
        #expect(remedy.contains("apps.d") && remedy.contains("passd.log") && !remedy.contains("operator"))
    }

    @Test func `rpc.md §4: the operator chooses the service, and an empty list counts as none`() async throws {
        let visitor = try await Household().connect()
        let refused = try await visitor.exchange(
            "setRequestor", ["requestorID": "NEWS24", "serviceProviders": ["https://other.test"]])
        #expect(refused.fault == "INVALID_PARAMS")
        #expect(refused.answer["error"]?["data"]?["details"]?["member"] == "serviceProviders")
        try await visitor.call("setRequestor", ["requestorID": "NEWS24", "serviceProviders": []])
    }

    @Test func `a session over the user's limit is told the limit, and a closed session makes room`()
        async throws
    {
        let household = try await Household(sessionsPerUser: 2)
        let watcher = try await household.connect()
        try await watcher.call("passd.subscribe", ["types": ["session.closed"]])
        let second = try await household.connect()
        let third = try await household.connect()
        let told = try await third.next()
        #expect(told?["id"] == .null)
        #expect(told?["error"]?["data"]?["code"] == "LIMIT")
        #expect(told?["error"]?["data"]?["details"] == ["limit": "sessions-per-user", "maximum": 2])
        #expect(try await third.next() == nil)
        try await second.call("passd.hello")
        try await second.leave()
        #expect(try await watcher.hear("event")["data"]?["session"] == 2)
        try await household.connect().call("passd.hello")
    }

    @Test func `in a flood of refused clients some are told the reason, and all are disconnected`() async throws {
        let household = try await Household(sessionsPerUser: 1)
        let only = try await household.connect()
        var flood: [Visitor] = []
        for _ in 0..<200 { flood.append(try await household.connect()) }
        var told = 0
        for visitor in flood {
            if let message = try await visitor.next() {
                #expect(message["error"]?["data"]?["details"]?["limit"] == "sessions-per-user")
                told += 1
            }
            #expect(try await visitor.next() == nil)
        }
        #expect((1...200).contains(told))
        try await only.call("passd.hello")
        // After these clients have left, a later client is told the reason again.
        for visitor in flood { try await visitor.leave() }
        var isTold = false
        for _ in 0..<1000 where !isTold { isTold = try await household.connect().next() != nil }
        #expect(isTold)
    }

    @Test func `a descriptor that is not a connection is closed and logged`() async throws {
        let household = try await Household()
        let number = open("/dev/null", O_RDONLY | O_CLOEXEC)
        await household.server.welcome(Descriptor(adopting: number), on: .api)
        #expect(await household.server.clients.isEmpty)
        #expect(household.log.text.contains("a client disconnected before it could be identified"))
        try await household.connect().call("passd.hello")
    }

    @Test func `the limits of a session come from the configuration`() async throws {
        let household = try await Household(pendingCalls: 1, messageSize: 400)
        household.backend.hold("prepare")
        let visitor = try await household.connect()
        try await visitor.send(
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"setRequestor\",\"params\":{\"requestorID\":\"NEWS24\"}}",
            "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"passd.whoami\"}")
        let refused = try await visitor.next()
        #expect(refused?["id"] == 2)
        #expect(refused?["error"]?["data"]?["details"]?["limit"] == "pending-calls-per-session")
        household.backend.release("prepare")
        #expect(try await visitor.hear("setRequestorComplete")["status"] == 1)
        #expect(try await visitor.next()?["id"] == 1)
        try await visitor.send(String(repeating: "x", count: 401))
        #expect(try await visitor.next()?["error"]?["data"]?["limit"] == 400)
        #expect(try await visitor.next() == nil)
        #expect(household.log.text.contains("a client was disconnected"))
    }
}
