// Tests that after a reset, at any point, only our own rules repeat the request. The server is a real one. The pauses
// between tries use the box's virtual clock.

import PassTestKit
import Synchronization
import Testing

@testable import AccessEnabler
@testable import PassBackend

@Suite("ruling 25; rest-v2.md §6.4, §15") struct ResetTests {
    /// The point at which the server resets the connection.
    enum Point: CaseIterable, Sendable {
        case beforeReading, withinRequest, afterRequest, withinHeader, withinBody, onKeptConnection
    }

    struct Call: Sendable, CustomTestStringConvertible {
        let name: String
        let tries: Int
        let make: @Sendable (any EntitlementBackend, BackendCaller) async throws -> Void
        var isOldInterface = false
        var testDescription: String { name }
    }

    static let calls: [Call] = [
        Call(name: "S1", tries: 1) { _ = try await $0.beginLogin(LoginRequest(provider: north), $1) },
        Call(name: "D1", tries: 3) { _ = try await $0.authorize([film], at: north, $1) },
        Call(name: "D2", tries: 3) { _ = try await $0.preauthorize([film], at: north, $1) },
        Call(name: "X2", tries: 1, make: exchange),
        Call(name: "V1's exchange", tries: 1, make: exchange, isOldInterface: true),
    ]

    private static let exchange: @Sendable (any EntitlementBackend, BackendCaller) async throws -> Void = {
        backend, caller in
        _ = try await backend.exchange(
            Secret("PHIvPg=="), at: PartnerSample.beacon, of: PartnerSample.hearth, caller.with(PartnerSample.granted))
    }

    /// Registers apps, and resets every connection after that.
    final class Server: Sendable {
        private let point: Point
        private let isArmed = Mutex(false)
        private let count = Mutex(0)

        init(_ point: Point) { self.point = point }

        var arrivals: Int { count.withLock { $0 } }
        func arm() { isArmed.withLock { $0 = true } }

        func play(_ connection: RawConnection) {
            if isArmed.withLock({ $0 }), point == .beforeReading || point == .withinRequest {
                count.withLock { $0 += 1 }
                if point == .withinRequest { _ = connection.read(atLeast: 1) }
                return connection.reset()
            }
            while let request = connection.readRequest() {
                guard !request.line.contains("/o/client/") else {
                    let isToken = request.line.contains("token")
                    let body =
                        isToken
                        ? #"{"access_token": "t", "expires_in": 21600, "created_at": 1, "token_type": "bearer"}"#
                        : #"{"client_id": "c", "client_secret": "s"}"#
                    let end = point == .onKeptConnection ? [] : ["Connection: close"]
                    connection.send(answer(body, status: "201 Created", end))
                    if point == .onKeptConnection { continue } else { return }
                }
                count.withLock { $0 += 1 }
                if point == .withinHeader { connection.send("HTTP/1.1 200 O") }
                if point == .withinBody { connection.send("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{") }
                return connection.reset()
            }
        }
    }

    @Test(arguments: calls, Point.allCases)
    func `ruling 25: a reset causes no duplicate request, and each retry follows our rules`(
        call: Call, point: Point
    ) async throws {
        let script = Server(point)
        let server = try RawServer { script.play($0) }
        defer { server.stop() }
        let clock = BoxClock()
        let sent = Recorder<SentRequest>()
        let parts = ServiceParts(
            ServiceConfiguration(
                origin: try Origin("http://127.0.0.1:\(server.port)"), http: .patient, budget: .init(burst: 1000),
                device: DeviceFacts(model: "LTV-200", manufacturer: "Lumen Devices", osVersion: "6.12"),
                sites: LoginSites(LoginSite(domainName: "lumen.example"))),
            vault: MemoryVault(), clock: clock, budgetClock: clock, platform: NoSignOn(), digest: { _ in "digest" },
            sent: { sent.append($0) }, jitter: { 0.5 })
        let backend: any EntitlementBackend = call.isOldInterface ? V1Backend(parts) : V2Backend(parts)
        let statement = Secret(Box.statement)
        let caller = BackendCaller(
            registration: backend.registration(of: AppID(rawValue: "tv.app"), statement: statement),
            softwareStatement: statement, requestor: RequestorID(rawValue: "LUMENTV"),
            device: DeviceID(rawValue: "abc"), deadline: clock.boot.advanced(by: .seconds(1000)))
        try await clock.run { try await backend.prepare(caller) }
        script.arm()
        let before = sent.elements.count
        await #expect(throws: BackendFault.self) {
            try await clock.run { try await call.make(backend, caller) }
        }
        let tries = sent.elements.count - before
        #expect(script.arrivals == tries, "each request has passed the budget")
        // A reset during the TLS handshake shows that the service has not seen the request.
        if point == .beforeReading, call.tries == 1 {
            #expect((1...Repetition.maxTries).contains(tries))
        } else {
            #expect(tries == call.tries)
        }
    }
}
