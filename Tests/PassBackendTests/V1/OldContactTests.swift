// Tests the common parts of all REST V1 calls: registration, tokens, throttling, errors, and missing abilities.

import AccessEnabler
import PassProtocol
import PassTestKit
import PassTestTools
import Testing

@testable import PassBackend

@Suite("rest-v1.md §2, §4, §11; dcr.md §6: contact") struct OldContactTests {
    @Test func `the two protocols have different registrations`() throws {
        let old = try OldBox().caller().registration
        var new = try Box().caller().registration
        #expect(old.interface == "v1" && old != new)
        new.interface = "v1"
        #expect(old == new)
    }

    @Test func `OQ-35: the device's description is plain in a registration, and percent-encoded in a call`()
        async throws
    {
        let box = try OldBox(OldSample.loggedIn)
        var caller = box.caller()
        caller.options.texts[.deviceInfo] = "a+b/c="
        _ = try await box.clock.run { [caller] in try await box.backend.providers(caller) }
        #expect(box.service.requests.map { $0.headers["X-Device-Info"] } == ["a+b/c=", "a+b/c=", "a%2Bb%2Fc%3D"])
    }

    @Test func `§2: a refused token is replaced once, and the call is repeated`() async throws {
        let box = try OldBox([OldSample.authnPath: [.answer(401, ""), OldSample.basic(404)]])
        #expect(try await box.run { try await $0.profiles(.all, $1) }.isEmpty)
        #expect(box.service.tokens == 2 && box.service.registrations == 1)
        let never = try OldBox([OldSample.authnPath: [.answer(401, "<html>")]])
        #expect(try await never.fault { try await $0.profiles(.all, $1) } == .tokenRefused)
        #expect(never.service.tokens == 2)
    }

    @Test func `OQ-58: a 403 refers to the registration only if the body says so`() async throws {
        let dead = ScriptedService.Reply.answer(403, #"{"error": "invalid_client"}"#)
        let no = OldSample.basic(403, details: "no")
        let box = try OldBox(["GET /api/v1/authorize": [no, dead, no]])
        for _ in 0..<2 {
            let decisions = try await box.run { try await $0.authorize([film], at: north, $1) }
            #expect(decisions.first?.error?.code == "authorization_denied_by_mvpd")
        }
        #expect(box.service.registrations == 2)
        let denied = try OldBox(["GET /api/v1/authorize": [OldSample.basic(403, details: "no")]])
        _ = try await denied.run { try await $0.authorize([film], at: north, $1) }
        #expect(denied.service.registrations == 1)
    }

    @Test func `§11: a 429 has a web page, which is not read, and the call waits`() async throws {
        let box = try OldBox([OldSample.authnPath: [OldSample.throttled, OldSample.basic(404)]])
        let begin = box.clock.now
        #expect(try await box.run { try await $0.profiles(.all, $1) }.isEmpty)
        #expect(box.clock.now - begin >= .seconds(1))
    }

    @Test(arguments: [
        #"{"status": 404, "message": "Not Found", "details": null}"#, #"{"message": "x"}"#, #"{"status": 404}"#,
        #"{"status": "404", "message": "x", "details": {"a": 1}}"#,
    ]) func `§4: a basic error is understood with any of its fields`(body: String) async throws {
        #expect(
            try await OldBox([OldSample.authnPath: [.answer(404, body)]]).run { try await $0.profiles(.all, $1) }
                .isEmpty)
    }

    @Test(arguments: ["{}", "[]", "", "null", #"{"status": "404"}"#, "<error><status>404</status></error>"])
    func `§4: an error from another machine says nothing about logins`(body: String) async throws {
        let box = try OldBox([OldSample.authnPath: [.answer(404, body)]])
        #expect(try await box.fault { try await $0.profiles(.all, $1) } == .unusableAnswer)
    }

    @Test func `every V1 code with another name in V2 has the name that the engine knows`() throws {
        for (old, new) in ServiceError.v2Codes {
            let response = HTTPResponse(status: 400, body: Array(#"{"code": "\#(old)"}"#.utf8))
            #expect(ServiceError(response, from: .authorize)?.code == new)
        }
        #expect(ServiceError.v2Codes.count == 12, "rest-v2.md §6.3")
    }

    @Test func `§2: the box's own token is sent, but not the viewer's service token`() async throws {
        struct SignOn: PlatformSSO {
            func identityToken(at time: ServerTime) async -> Secret? { Secret("box") }
            func serviceToken(at time: ServerTime) async -> Secret? { Secret("viewer") }
        }
        let box = try OldBox(platform: SignOn(), [OldSample.authnPath: [OldSample.basic(404)]])
        _ = try await box.run { try await $0.profiles(.all, $1) }
        let headers = try #require(box.service.calls.first?.headers)
        #expect(headers["Adobe-Subject-Token"] == "box" && headers["AD-Service-Token"] == nil)
    }

    @Test func `identical pending reads are one request`() async throws {
        let box = try OldBox([OldSample.authnPath: [.held]])
        let reads = (0..<3).map { _ in Task { try await box.backend.profiles(.all, box.caller()) } }
        await eventually { box.service.heldCount == 1 && box.backend.parts.profileLists.waiterCount == 3 }
        box.service.release(OldSample.basic(404))
        for read in reads { #expect(try await read.value.isEmpty) }
    }

    /// The properties of the interface that the engine must know. rest-v2.md §19, §21.
    @Test func `the two protocols differ only in these traits`() throws {
        let table = """
            trait                   V1     V2
            multipleProfiles        false  true
            cancellableCode         true   false
            headerSignOn            false  true
            temporaryPassByCall     true   false
            forcedLoginEndsFormer   false  true
            """
        let old = Mirror(reflecting: try OldBox().backend.traits).children
        let new = Mirror(reflecting: try Box().backend.traits).children
        var rows = ["trait                   V1     V2"]
        for (left, right) in zip(old, new) where "\(left.value)" != "\(right.value)" {
            let name = left.label ?? ""
            let first = "\(left.value)"
            rows.append(
                name + String(repeating: " ", count: 24 - name.count) + first
                    + String(repeating: " ", count: 7 - first.count) + "\(right.value)")
        }
        let found = rows.joined(separator: "\n")
        print(found)
        #expect(found == table)
    }

    @Test func `ruling 33: a 429 within a burst is reported once`() async throws {
        let box = try OldBox([OldSample.configurationPath: [OldSample.throttled]])
        for _ in 0..<2 {
            #expect(try await box.fault { try await $0.providers($1) } == .throttled)
        }
        #expect(box.oneTimeBursts.elements.count == 1)
    }
}
