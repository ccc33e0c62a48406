// Tests the language of the daemon's sentences for viewers. rpc.md §2.

import AccessEnabler
import PassJSON
import PassProtocol
import PassTestKit
import Testing

@testable import PassServer

@Suite struct LanguageTests {
    private func refused(_ visitor: Visitor) async throws -> JSONValue {
        try await visitor.call("checkAuthorization", ["resource": "channel-1"])
    }

    @Test(
        arguments: [
            (nil, "en"), ("de", "de"), ("de-AT", "de"), ("DE-at", "de"), ("pt-BR", "pt"), ("fr", "fr"), ("xx", "en"),
            ("deu", "en"), ("en-GB", "en"), ("sr-Latn-RS", "en"),
        ] as [(String?, String)])
    func `rpc.md §2: refusals, errors and callbacks have sentences in the session's language`(
        tag: String?, language: String
    ) async throws {
        let household = try await Household { $0.offersAll() }
        let visitor = try await household.connect()
        if let tag { try await visitor.call("setOptions", ["language": .string(tag)]) }
        let unset = try await visitor.exchange("checkAuthorization", ["resource": "channel-1"]).answer
        #expect(
            unset["error"]?["data"]?["display"]?.string == BoxSentence.tryLater.text(in: language), "no requestor")
        try await visitor.call("setRequestor", ["requestorID": "NEWS24"])
        let play = try await visitor.exchange("checkAuthorization", ["resource": "channel-1"])
        #expect(play.answer["result"]?["displayCode"] == "signIn")
        let status = play.callbacks.first { $0["method"] == "setAuthenticationStatus" }
        for words in [play.answer["result"], status?["params"]] {
            #expect(words?["display"]?.string == BoxSentence.signIn.text(in: language))
        }
        // The second answer comes from memory. docs/decisions/0019.
        for _ in 1...3 {
            let check = try await visitor.call("checkAuthentication")
            #expect(check["display"]?.string == BoxSentence.signIn.text(in: language))
        }
    }

    @Test func `the sentences of a menu's decisions are translated, and the provider's words stay as they are`()
        async throws
    {
        let household = try await Household {
            $0.profiles = [RequestorID(rawValue: "NEWS24"): .success([Sample.profile])]
            $0.preauthorize = { resource in
                let text = resource.rawValue == "own" ? "Not in your package." : nil
                let error = ServiceError(
                    status: 403, code: "authorization_denied_by_mvpd", actionName: "none", details: text)
                return .success(ServiceDecision(resource: resource, isAuthorized: false, source: .mvpd, error: error))
            }
        }
        let visitor = try await household.app()
        try await visitor.call("setOptions", ["language": "fr"])
        let answer = try await visitor.call("preauthorize", ["resources": ["own", "other"]])
        let texts = answer["decisions"]?.array?.map { $0["display"]?.string } ?? []
        #expect(texts == ["Not in your package.", BoxSentence.notPermitted.text(in: "fr")])
    }

    @Test func `the callback of a code that has ended is translated`() async throws {
        let household = try await Household {
            $0.offersAll()
            $0.polls = [.success(.gone)]
        }
        let visitor = try await household.app()
        try await visitor.call("setOptions", ["language": "de-AT"])
        try await visitor.call("getAuthentication")
        try await visitor.call("setSelectedProvider", ["providerID": "M1"])
        await household.polls()
        let callback = try await visitor.hear("setAuthenticationStatus")
        let sentence = try #require(callback["displayCode"]?.string.flatMap(BoxSentence.init))
        #expect(
            callback["display"]?.string == sentence.text(in: "de") && sentence.text(in: "de") != sentence.text(in: nil))
    }

    @Test func `sessions with different languages do not share answers`() async throws {
        let household = try await Household()
        let (german, english) = (try await household.app(), try await household.app())
        try await german.call("setOptions", ["language": "de"])
        for _ in 1...3 {
            #expect(
                try await german.call("checkAuthentication")["display"]
                    == "Melden Sie sich mit Ihrem TV-Anbieter an, um das zu sehen.")
            #expect(
                try await english.call("checkAuthentication")["display"]
                    == "Sign in with your TV provider to watch this.")
        }
    }

    @Test func `the language survives a restart of the daemon, and operators' reports stay English`() async throws {
        let (first, second) = (try await Household(), try await Household())
        let visitor = try await first.app()
        try await visitor.call("setOptions", ["language": "it"])
        let keeper = Keeper()
        try await first.awaitRest(of: 1)
        await first.handOver(keeper)
        for (descriptor, client) in keeper.takeAll() { await second.restore(client, on: descriptor) }
        #expect(try await refused(visitor)["display"]?.string == BoxSentence.signIn.text(in: "it"))
        let decisions = try await second.connect(.admin).call("passd.decisions")
        #expect(!decisions.text.contains(BoxSentence.signIn.text(in: "it")))
    }

    @Test(arguments: [
        "", "de_AT", "de_AT;", "de-", "-de", "de--AT", "d\u{E9}", "de\u{0}", "abcdefghi", "de AT",
        "aaaaaaaa-aaaaaaaa-aaaaaaaa-aaaaaaaa-a",
    ])
    func `a malformed tag is refused, and changes nothing`(tag: String) async throws {
        let visitor = try await Household().app()
        try await visitor.call("setOptions", ["language": "es"])
        let answer = try await visitor.exchange("setOptions", ["language": .string(tag)]).answer
        #expect(answer["error"]?["data"]?["code"] == "INVALID_PARAMS")
        #expect(answer["error"]?["data"]?["display"]?.string == BoxSentence.notAvailable.text(in: "es"))
    }
}

extension Household {
    /// Lets the next poll of the open code happen.
    fileprivate func polls() { clock.advance(by: clock.boot.duration(to: engine.nextPoll ?? clock.boot)) }
}
