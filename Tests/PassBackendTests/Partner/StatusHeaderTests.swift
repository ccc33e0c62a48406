// Tests the header of calls that may use the platform's login, byte for byte.

import FoundationEssentials
import PassTestTools
import Testing

@testable import AccessEnabler
@testable import PassBackend

@Suite("rest-v2.md §3.1, §3.8: the platform's status") struct StatusHeaderTests {
    private static let expires = ServerTime(milliseconds: 1_798_156_800_000)

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let status: PartnerStatus
        let json: String

        init(
            _ text: String, _ permission: PlatformPermission, _ json: String, _ provider: String? = nil,
            _ expires: ServerTime? = nil
        ) {
            testDescription = text
            status = PartnerStatus(
                partner: PartnerSample.hearth, permission: permission, providerID: provider, expires: expires)
            self.json = json
        }
    }

    private static func permission(_ word: String) -> String {
        #"{"frameworkPermissionInfo":{"accessStatus":"\#(word)"},"frameworkProviderInfo":"#
    }

    private static let rows = [
        Row(
            "the contract's example", .granted,
            permission("granted") + #"{"expirationDate":"1798156800000","id":"ncable-07"}}"#, "ncable-07", expires),
        Row("nobody is signed in", .granted, permission("granted") + "{}}"),
        Row("without an expiry", .granted, permission("granted") + #"{"id":"ncable-07"}}"#, "ncable-07"),
        Row("denied: an empty provider, and both parents", .denied, permission("denied") + "{}}"),
        Row("restricted", .restricted, permission("restricted") + "{}}"),
        Row("not determined", .notDetermined, permission("notDetermined") + "{}}"),
        Row(
            "a name that is not a plain word", .granted,
            permission("granted") + #"{"expirationDate":"1798156800000","id":"a/b\"ü"}}"#, #"a/b"ü"#, expires),
    ]

    @Test(arguments: rows) func `it is the Base64 of an object with both parents`(_ row: Row) throws {
        let value = row.status.header
        #expect(PartnerSample.text(value) == row.json)
        #expect(!value.contains { $0.isWhitespace })
    }

    @Test func `the header matches the contract's example`() throws {
        let example =
            "eyJmcmFtZXdvcmtQZXJtaXNzaW9uSW5mbyI6eyJhY2Nlc3NTdGF0dXMiOiJncmFudGVkIn0sImZyYW1ld29ya1Byb3ZpZGVySW5mbyI6"
            + "eyJpZCI6Im5jYWJsZS0wNyIsImV4cGlyYXRpb25EYXRlIjoiMTc5ODE1NjgwMDAwMCJ9fQ=="
        let status = PartnerStatus(
            partner: PartnerSample.hearth, permission: .granted, providerID: "ncable-07", expires: Self.expires)
        let value = status.header
        #expect(try Self.members(value) == Self.members(example))
    }

    private static func members(_ header: String) throws -> [String: [String: String]] {
        try JSONDecoder().decode([String: [String: String]].self, from: try #require(Data(base64Encoded: header)))
    }

    // MARK: Calls with the header

    struct Call: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let carries: Bool
        let make: @Sendable (V2Backend, BackendCaller) async throws -> Void

        init(
            _ name: String, _ carries: Bool, _ make: @escaping @Sendable (V2Backend, BackendCaller) async throws -> Void
        ) {
            testDescription = name
            self.carries = carries
            self.make = make
        }
    }

    private static let calls = [
        Call("C1", false) { _ = try await $0.providers($1) },
        Call("S1", false) { _ = try await $0.beginLogin(LoginRequest(provider: north), $1) },
        Call("P1", true) { _ = try await $0.profiles(.all, $1) },
        Call("P2", true) { _ = try await $0.profiles(.provider(north), $1) },
        Call("P3", false) { _ = try await $0.pollLogin(Sample.login, $1) },
        Call("D1", true) { _ = try await $0.authorize([film], at: north, $1) },
        Call("D2", true) { _ = try await $0.preauthorize([film], at: north, $1) },
        Call("L1", false) { _ = try await $0.logout(north, $1) },
        Call("X1", true) { _ = try await $0.partnerRequest(PartnerSample.beacon, of: PartnerSample.hearth, $1) },
        Call("X2", true) {
            _ = try await $0.exchange(Secret("<r/>"), at: PartnerSample.beacon, of: PartnerSample.hearth, $1)
        },
    ]

    @Test(arguments: calls) func `the header is sent exactly for the calls in the header table`(
        _ call: Call
    ) async throws {
        for status in [PartnerSample.granted, nil] {
            let box = try Box { request, _ in request.url.path.hasPrefix("/api/") ? .answer(404, "") : nil }
            let caller = box.caller().with(status)
            _ = try await box.fault { try await call.make(box.backend, caller) }
            let header = try #require(box.service.calls.first).headers[PartnerSample.statusName]
            #expect(header == (call.carries ? status?.header : nil))
        }
    }

    @Test func `the older interface has no such header`() async throws {
        let box = try OldBox(OldSample.loggedIn)
        _ = try await box.run { try await $0.profiles(.all, $1.with(PartnerSample.granted)) }
        #expect(box.service.calls.count == 3)
        #expect(box.service.calls.allSatisfy { $0.headers[PartnerSample.statusName] == nil })
    }

    // MARK: Sharing

    @Test func `reads with different status are sent separately, and reads with the same status are shared`()
        async throws
    {
        let box = try Box { request, _ in request.url.path.hasPrefix("/api/") ? .held : nil }
        var other = PartnerSample.granted
        other.providerID = "fern-2"
        var later = PartnerSample.granted
        later.expires = ServerTime(milliseconds: 1_798_156_800_001)
        var denied = PartnerSample.granted
        denied.permission = .denied
        let statuses = [nil, PartnerSample.granted, other, later, denied, PartnerSample.granted, nil]
        let reads = statuses.map { status in
            Task { try await box.backend.profiles(.all, box.caller().with(status)) }
        }
        await eventually { box.service.heldCount == 5 && box.backend.parts.profileLists.waiterCount == reads.count }
        #expect(box.service.calls.count == 5)
        #expect(Set(box.service.calls.map { $0.headers[PartnerSample.statusName] }).count == 5)
        box.service.release(.answer(200, Sample.nobody))
        for read in reads { #expect(try await read.value.isEmpty) }
    }
}
