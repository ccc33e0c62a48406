// Tests that values over the limit are refused on arrival, in both interfaces, and that the reason is given.

import Testing

@testable import AccessEnabler
@testable import PassBackend

@Suite("architecture §5.3: answers that are too large to keep") struct BoundedAnswerTests {
    private static let long = String(repeating: "x", count: ValueLimits.bytes + 1)
    private static let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)

    nonisolated static let profiles: [(String, String)] = [
        (#"{"M": {\#(times), "attributes": {"zip": {"value": "\#(long)"}}}}"#, "the user metadata takes up"),
        (#"{"M": {\#(times), "attributes": {"\#(long)": {"value": 1}}}}"#, "the user metadata takes up"),
        (#"{"M": {\#(times), "attributes": {"zip": {"value": \#(deep)}}}}"#, "nested deeper than 62 levels"),
        (#"{"M": {\#(times), "issuer": "\#(long)"}}"#, "the issuer takes"),
        (#"{"\#(long)": {\#(times)}}"#, "the name of a provider takes"),
    ]
    private static let times = #""notBefore": 1, "notAfter": 9, "type": "regular""#

    private static func fault<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async -> BackendFault? {
        do {
            _ = try await work()
            return nil
        } catch { return error as? BackendFault }
    }

    @Test(arguments: profiles) func `V2: a login with values over the limits`(
        answer: String, reason: String
    ) async throws {
        let box = try Box { request, _ in
            request.url.path.hasPrefix("/api/") ? .answer(200, #"{"profiles": \#(answer)}"#) : nil
        }
        let fault = await Self.fault { try await box.clock.run { try await box.backend.profiles(.all, box.caller()) } }
        #expect(fault?.kind == .unusableAnswer)
        #expect(fault?.reason?.contains(reason) == true, "\(fault?.reason ?? "no reason")")
    }

    @Test func `V2: a provider with a name that is too long`() async throws {
        let box = try Box { request, _ in
            request.url.path.hasPrefix("/api/")
                ? .answer(200, #"{"requestor": {"mvpds": [{"id": "M", "displayName": "\#(Self.long)"}]}}"#) : nil
        }
        let fault = await Self.fault { try await box.clock.run { try await box.backend.providers(box.caller()) } }
        #expect(fault?.kind == .unusableAnswer && fault?.reason?.contains("description of a provider") == true)
    }

    @Test(arguments: ["code", "sessionId", "mvpd"]) func `V2: a code with a name that is too long`(
        member: String
    ) async throws {
        let values = ["code", "sessionId", "mvpd"].map { #""\#($0)": "\#($0 == member ? Self.long : "a")""# }
        let box = try Box { request, _ in
            request.url.path.hasPrefix("/api/")
                ? .answer(
                    200,
                    #"{"actionName": "resume", "notAfter": 9, \#(values.joined(separator: ", "))}"#) : nil
        }
        let fault = await Self.fault {
            try await box.clock.run { try await box.backend.beginLogin(LoginRequest(provider: nil), box.caller()) }
        }
        #expect(fault?.kind == .unusableAnswer && fault?.reason?.contains("the limit is") == true)
    }

    @Test(arguments: [ScriptedService.registration, ScriptedService.token])
    func `credentials and tokens`(path: String) async throws {
        let box = try Box { request, _ in
            switch (String(request.url.path), path) {
            case (ScriptedService.registration, ScriptedService.registration):
                .answer(201, #"{"client_id": "c", "client_secret": "\#(Self.long)"}"#)
            case (ScriptedService.token, ScriptedService.token):
                .answer(201, #"{"access_token": "\#(Self.long)", "expires_in": 21600}"#)
            default: nil
            }
        }
        let fault = await Self.fault { try await box.clock.run { try await box.backend.prepare(box.caller()) } }
        #expect(fault?.kind == .unusableAnswer && fault?.reason?.contains("the limit is") == true)
        #expect(box.vault.registrations.values.allSatisfy { $0.clientSecret.reveal() != Self.long })
    }

    nonisolated static let old: [(String, String, String)] = [
        (OldSample.token(long), OldSample.metadata, "the name of a provider takes"),
        (
            #"{"requestor": "LUMENTV", "mvpd": "M", "userId": "\#(long)", "expires": "1896048000000"}"#,
            #"{"data": {}}"#, "the user metadata takes up"
        ),
        (OldSample.token(), #"{"data": {"zip": "\#(long)"}}"#, "the user metadata takes up"),
        (OldSample.token(), #"{"data": {"zip": \#(deep)}}"#, "nested deeper than 62 levels"),
    ]

    @Test(arguments: old)
    func `V1: a login with values over the limits`(token: String, metadata: String, reason: String) async throws {
        let box = try OldBox([
            OldSample.authnPath: [.answer(200, token)], OldSample.metadataPath: [.answer(200, metadata)],
            OldSample.configurationPath: [.answer(200, OldSample.configuration)],
        ])
        let fault = await Self.fault {
            try await box.run { backend, caller in try await backend.profiles(.all, caller) }
        }
        #expect(fault?.kind == .unusableAnswer)
        #expect(fault?.reason?.contains(reason) == true, "\(fault?.reason ?? "no reason")")
    }

    @Test func `V1: a page with an address that is too long`() async throws {
        let box = try OldBox([
            OldSample.authnPath: [OldSample.basic(404)],
            OldSample.codePath: [
                .answer(
                    201,
                    #"{"code": "7KQ2MZP", "generated": 1, "expires": 9, "#
                        + #""info": {"registrationURL": "https://login.example/\#(Self.long)"}}"#)
            ],
            OldSample.configurationPath: [.answer(200, OldSample.configuration)],
        ])
        let step = try await box.run { backend, caller in
            try await backend.beginLogin(LoginRequest(provider: ProviderID(rawValue: "NorthCable")), caller)
        }
        guard case .showCode(let login) = step else {
            Issue.record("no code is shown")
            return
        }
        #expect(login.url.isEmpty && login.code.rawValue == "7KQ2MZP", "the code is usable without the page")
    }
}
