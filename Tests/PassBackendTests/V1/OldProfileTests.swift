// Tests profiles and lists of providers in REST V1.

import AccessEnabler
import PassJSON
import Testing

@testable import PassBackend

@Suite("rest-v1.md §6.3, §6.7, §6.12: profiles and providers") struct OldProfileTests {
    private func profiles(_ replies: OldBox.Replies, _ query: ProfileQuery = .all) async throws -> [Profile] {
        try await OldBox(replies).run { backend, caller in try await backend.profiles(query, caller) }
    }

    @Test func `a profile is made from the token and the viewer's metadata`() async throws {
        let box = try OldBox(OldSample.loggedIn)
        let profile = try #require(try await box.run { try await $0.profiles(.all, $1) }.first)
        #expect(
            box.calls == [
                "GET /api/v1/tokens/authn?requestor=LUMENTV&deviceId=abc",
                "GET /api/v1/tokens/usermetadata?requestor=LUMENTV&deviceId=abc", "GET /api/v1/config/LUMENTV",
            ])
        #expect(profile.provider == north && profile.issuer == "NorthCable" && profile.kind == .regular)
        #expect(profile.notAfter == ServerTime(milliseconds: 1_896_048_000_000))
        #expect(profile.notBefore == ServerTime(milliseconds: 1_893_456_000_000), "OQ-45: `updated` counts seconds")
        #expect(profile.attributes["zip"] == .init(value: .string("Q2lwaGVy"), isEncrypted: true))
        #expect(profile.attributes["userID"] == .init(value: .string("u-8841"), isEncrypted: false))
        #expect(profile.attributes["channelID"]?.value == ["NEWS24"])
    }

    @Test func `§6.3, OQ-23: the box's partner counts even while its TV account is silent`() async throws {
        var replies = OldSample.loggedIn
        replies[OldSample.metadataPath] = [.answer(200, #"{"encrypted": [], "data": {"tokenSource": "Hearth"}}"#)]
        let box = try OldBox(replies)
        let profile = try await box.run { backend, caller in
            var caller = caller
            caller.partner = Partner(name: "Hearth", deviceType: "hearth-box")
            return try await backend.profiles(.all, caller).first
        }
        #expect(profile?.kind == .appleSSO)
        #expect(box.calls.last == "GET /api/v1/config/LUMENTV?deviceType=hearth-box")
    }

    @Test(arguments: [ProfileQuery.all, .provider(north), .provider(ProviderID(rawValue: "EastSat"))])
    func `a query finds at most one profile, and none if the login is at another provider`(
        query: ProfileQuery
    ) async throws {
        let found = try await profiles(OldSample.loggedIn, query).map(\.provider)
        if case .provider(let wanted) = query, wanted != north {
            #expect(found.isEmpty)
        } else {
            #expect(found == [north])
        }
    }

    @Test(arguments: [404, 410, 403, 412]) func `§6.15: each of these statuses means that no viewer is signed in`(
        status: Int
    ) async throws {
        let box = try OldBox([OldSample.authnPath: [OldSample.basic(status)]])
        #expect(try await box.run { try await $0.profiles(.all, $1) }.isEmpty)
        #expect(box.calls.count == 1)
    }

    @Test(arguments: [
        (OldSample.basic(404), 1), (OldSample.basic(412), 0),
        (OldSample.enhanced(412, "authentication_session_expired", "authentication"), 0),
        (.answer(200, #"{"data": {}}"#), 1),
        (.answer(200, #"{"updated": "x", "encrypted": null, "data": {"a": null}}"#), 1),
    ]) func `§6.12: missing metadata are an empty set, and an ended login is not a login`(
        reply: ScriptedService.Reply, count: Int
    ) async throws {
        var replies = OldSample.loggedIn
        replies[OldSample.metadataPath] = [reply]
        let found = try await profiles(replies)
        #expect(found.count == count)
        #expect(found.allSatisfy { $0.attributes["userID"]?.value == .string("u-8841") }, "the token has the value too")
    }

    @Test(arguments: [
        ScriptedService.Reply.answer(200, "{}"), .answer(200, "<userMetadata/>"), .answer(404, "<html>"),
        .answer(200, #"{"data": []}"#),
        .answer(200, #"{"encrypted": {}, "data": {}}"#), .answer(200, #"{"data": {"a": "#), .answer(500, ""),
        .answer(503, "<html>"), OldSample.basic(400),
    ]) func `ruling 39: a login is valid without its metadata`(reply: ScriptedService.Reply) async throws {
        var replies = OldSample.loggedIn
        replies[OldSample.metadataPath] = [reply]
        let found = try await profiles(replies)
        #expect(found.map(\.provider) == [north])
        #expect(found.first?.attributes.keys.sorted() == ["userID"])
    }

    @Test(arguments: [
        ScriptedService.Reply.fault(.disconnected), .fault(.timeout(wasSent: true)), .fault(.dns), OldSample.throttled,
    ])
    func `ruling 39: a login is valid even if the connection for its metadata fails`(
        reply: ScriptedService.Reply
    ) async throws {
        var replies = OldSample.loggedIn
        replies[OldSample.metadataPath] = [reply]
        let box = try OldBox(replies)
        let found = try await box.run { try await $0.profiles(.all, $1) }
        #expect(found.map(\.provider) == [north])
    }

    @Test(arguments: [
        [OldSample.metadataPath], [OldSample.configurationPath], [OldSample.metadataPath, OldSample.configurationPath],
    ])
    func `rulings 22, 39: if requests for metadata or providers get no answer, the login is still found`(
        silent: [String]
    ) async throws {
        var replies = OldSample.loggedIn
        for path in silent { replies[path] = [.held] }
        let box = try OldBox(replies)
        let caller = box.caller(within: .seconds(1000))
        // The clock stops before the caller's deadline.
        let found = try await box.clock.run(within: .seconds(999)) { try await box.backend.profiles(.all, caller) }
        #expect(found.map(\.provider) == [north])
    }

    @Test(arguments: [Int64.min, -1, 0, 1_893_456_000, .max]) func `no number in an answer overflows`(
        updated: Int64
    ) async throws {
        var replies = OldSample.loggedIn
        replies[OldSample.metadataPath] = [.answer(200, #"{"updated": \#(updated), "data": {}}"#)]
        replies[OldSample.authnPath] = [.answer(200, OldSample.token(expires: "\(Int64.max)"))]
        let profile = try #require(try await profiles(replies).first)
        #expect(profile.notBefore <= profile.notAfter)
    }

    @Test(arguments: [
        ("temppass", "NorthCable", Profile.Kind.temporary), ("authnall", "NorthCable", .degraded),
        ("authzall", "NorthCable", .degraded), ("regular", "NorthCable", .regular), ("hba", "NorthCable", .regular),
        ("", "LumenPass", .temporary), ("", "NorthCable", .regular), ("new", "NorthCable", .regular),
    ]) func `OQ-27: the kind comes from a header of the answer, or from the list of providers`(
        origin: String, provider: String, kind: Profile.Kind
    ) async throws {
        var replies = OldSample.loggedIn
        replies[OldSample.authnPath] = [.headed(200, OldSample.token(provider), ["X-Sandbox-Origin": origin])]
        #expect(try await profiles(replies).map(\.kind) == [kind])
    }

    @Test func `OQ-23: a partner's login names its partner`() async throws {
        var replies = OldSample.loggedIn
        replies[OldSample.metadataPath] = [.answer(200, #"{"data": {"tokenSource": "Apple"}}"#)]
        #expect(try await profiles(replies).map(\.kind) == [.appleSSO])
    }

    @Test func `an unavailable list of providers does not affect a login`() async throws {
        var replies = OldSample.loggedIn
        replies[OldSample.configurationPath] = [OldSample.basic(400)]
        #expect(try await profiles(replies).map(\.kind) == [.regular])
    }

    // MARK: Providers

    @Test(arguments: [
        (OldSample.configuration, ["NorthCable", "LumenPass"]),
        (#"{"mvpds": [{"id": "a"}, {"id": 7}, {"id": ""}]}"#, ["a"]),
        (#"{"config": {"requestor": {"mvpds": {"mvpd": [{"id": "a"}, {"id": "b"}]}}}}"#, ["a", "b"]),
        (#"{"requestor": {"mvpd": {"id": "a"}}}"#, ["a"]), (#"{"requestor": {"mvpds": []}}"#, []),
    ]) func `OQ-38: the list is found by its name at any level`(body: String, ids: [String]) async throws {
        let box = try OldBox([OldSample.configurationPath: [.answer(200, body)]])
        #expect(try await box.run { try await $0.providers($1) }.map(\.id.rawValue) == ids)
        _ = try await box.run { try await $0.providers($1) }
        #expect(box.calls.count == 1, "the list is kept for some time")
    }

    @Test(arguments: ["", "{}", "[]", "<config/>", #"{"requestor": {}}"#, #"{"mvpds": 7}"#, #"{"mvpds": [{"#])
    func `an invalid list is not treated as an empty list`(body: String) async throws {
        let box = try OldBox([OldSample.configurationPath: [.answer(200, body)]])
        #expect(try await box.fault { try await $0.providers($1) } == .unusableAnswer)
    }

    @Test func `a list inside a thousand wrappers is refused`() async throws {
        let deep = String(repeating: #"{"x":"#, count: 1000) + #"{"mvpds": []}"# + String(repeating: "}", count: 1000)
        let box = try OldBox([OldSample.configurationPath: [.answer(200, deep)]])
        #expect(try await box.fault { try await $0.providers($1) } == .unusableAnswer)
    }

    @Test func `§6.3: a requestor that the service does not know is reported as such`() async throws {
        for reply in [OldSample.basic(400), OldSample.enhanced(400, "invalid_requestor")] {
            let box = try OldBox([OldSample.configurationPath: [reply]])
            guard case .refused(let error) = try await box.fault({ try await $0.providers($1) }) else {
                Issue.record("it is not refused")
                return
            }
            #expect(error.code == "invalid_parameter_service_provider")
        }
    }
}
