// Tests the identity of a promotional temporary pass. It is sent only with the calls that need it, and only as a hash.

import PassTestTools
import Testing

@testable import AccessEnabler
@testable import PassBackend

@Suite("rest-v2.md §3.9, §13: the identity of a promotional pass") struct TemporaryIdentityTests {
    private static let header = "AP-TempPass-Identity"
    private static let digest = "005fc202e81ff0de9e654f77a9444d44fa2cac9de7caef43f6bbde1215921dee"
    private static let encoded =
        "eyJlbWFpbCI6IjAwNWZjMjAyZTgxZmYwZGU5ZTY1NGY3N2E5NDQ0ZDQ0ZmEyY2FjOWRlN2NhZWY0M2Y2YmJkZTEyMTU5MjFkZWUifQ=="

    private static let generous: ScriptedService.Script = { request, _ in
        let path = request.url.path
        if path.contains("/decisions/") { return .answer(200, Sample.decisions([Sample.permit("film")])) }
        if path.contains("/profiles") { return .answer(200, Sample.profile) }
        if path.contains("/sessions") { return .answer(201, Sample.session) }
        if path.contains("/configuration") { return .answer(200, Sample.providers) }
        return path.contains("/logout/") ? .answer(200, #"{"logouts": {}}"#) : nil
    }

    private func caller(_ box: Box, _ identity: [String: String] = ["email": digest]) -> BackendCaller {
        var caller = box.caller()
        caller.options.temporaryIdentity = identity
        return caller
    }

    /// Makes all calls in sequence.
    private static func askAll(_ backend: V2Backend, _ caller: BackendCaller) async throws {
        _ = try await backend.providers(caller)
        _ = try await backend.profiles(.all, caller)
        _ = try await backend.profiles(.provider(north), caller)
        _ = try await backend.profiles(.login(Sample.login), caller)
        _ = try await backend.beginLogin(LoginRequest(provider: north), caller)
        _ = try await backend.pollLogin(Sample.login, caller)
        _ = try await backend.authorize([film], at: north, caller)
        _ = try await backend.preauthorize([film], at: north, caller)
        _ = try await backend.logout(north, caller)
    }

    @Test func `the identity is sent exactly with the calls of §3.9, in their form`() async throws {
        let box = try Box(Self.generous)
        try await Self.askAll(box.backend, caller(box))
        let carriers = box.service.requests.filter { $0.headers[Self.header] != nil }
        #expect(
            carriers.map { $0.url.path } == [
                "/api/v2/LUMENTV/profiles/NorthCable", "/api/v2/LUMENTV/profiles/code/K7Q2M4X",
                "/api/v2/LUMENTV/profiles/code/K7Q2M4X", "/api/v2/LUMENTV/decisions/authorize/NorthCable",
            ])
        for request in carriers { #expect(request.headers[Self.header] == Self.encoded) }
    }

    @Test func `an app without an identity sends none`() async throws {
        let box = try Box(Self.generous)
        try await Self.askAll(box.backend, box.caller())
        #expect(box.service.requests.allSatisfy { $0.headers[Self.header] == nil })
    }

    @Test(arguments: [
        ["email": "viewer@example.org"], ["viewer@example.org": digest], ["email": digest, "phone": digest],
    ]) func `OQ-46: a value that identifies the viewer never leaves the box`(identity: [String: String]) async throws {
        let box = try Box(Self.generous)
        let caller = caller(box, identity)
        let calls: [@Sendable () async throws -> Void] = [
            { _ = try await box.backend.profiles(.provider(north), caller) },
            { _ = try await box.backend.profiles(.login(Sample.login), caller) },
            { _ = try await box.backend.pollLogin(Sample.login, caller) },
            { _ = try await box.backend.authorize([film], at: north, caller) },
        ]
        for call in calls {
            guard case .refused(let error) = try await box.fault(call) else {
                Issue.record("it was not refused")
                continue
            }
            #expect(error.status == 400 && error.code == "invalid_header_identity_for_temporary_access")
            let told = "\(error)"
            #expect(identity.values.allSatisfy { !told.contains($0) } && !told.contains("viewer"))
        }
        #expect(box.service.requests.isEmpty)
    }

    @Test func `calls that do not use the identity are made without the header`() async throws {
        let box = try Box(Self.generous)
        let caller = caller(box, ["email": "viewer@example.org"])
        #expect(try await box.backend.profiles(.all, caller).count == 1)
        #expect(box.service.calls.count == 1)
        #expect(box.service.calls.allSatisfy { $0.headers[Self.header] == nil })
    }

    @Test func `reads with different identities are different requests`() async throws {
        let box = try Box { request, _ in request.url.path.hasPrefix("/api/") ? .held : nil }
        let callers = [caller(box), caller(box), caller(box, ["email": "00"]), box.caller()]
        let tasks = callers.map { caller in Task { try await box.backend.profiles(.provider(north), caller) } }
        await eventually { box.service.heldCount == 3 && box.backend.parts.profileLists.waiterCount == 4 }
        box.service.release(.answer(200, Sample.profile))
        for task in tasks { #expect(try await task.value.count == 1) }
        #expect(Set(box.service.calls.map { $0.headers[Self.header] ?? "" }).count == 3)
    }
}
