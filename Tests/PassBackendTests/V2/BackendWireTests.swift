// Tests the adapter over a real connection, with a broken or throttling service.

import PassProtocol
import Testing

@testable import AccessEnabler
@testable import PassBackend

@Suite("rest-v2.md §1, §15: the adapter over the wire") struct BackendWireTests {
    private static func byTheBook(_ request: RawRequest) -> String? {
        if request.line.hasPrefix("POST /o/client/register ") {
            return answer(#"{"client_id": "c", "client_secret": "s"}"#, status: "201 Created")
        }
        if request.line.hasPrefix("POST /o/client/token ") {
            return answer(#"{"access_token": "t", "expires_in": 3600}"#, status: "201 Created")
        }
        return nil
    }

    private func backend(_ server: RawServer, _ clock: BoxClock, bodyLimit: Int = 1 << 20) throws -> V2Backend {
        var http = HTTPConfiguration.patient
        http.bodyLimit = bodyLimit
        return V2Backend(
            ServiceParts(
                .init(
                    origin: try Origin("http://127.0.0.1:\(server.port)"), http: http,
                    device: DeviceFacts(model: "m", manufacturer: "f", osVersion: "6")),
                vault: MemoryVault(), clock: clock, budgetClock: clock, platform: NoSignOn(), digest: { _ in "d" }))
    }

    private func caller(_ backend: V2Backend, _ clock: BoxClock) -> BackendCaller {
        let statement = Secret(Box.statement)
        return BackendCaller(
            registration: backend.registration(of: AppID(rawValue: "tv.app"), statement: statement),
            softwareStatement: statement, requestor: RequestorID(rawValue: "LUMENTV"),
            device: DeviceID(rawValue: "abc"), deadline: clock.boot.advanced(by: .seconds(1000)))
    }

    @Test func `a login begins with a registration, and with the requestor's domain`() async throws {
        let server = try RawServer.answering { Self.byTheBook($0) ?? answer(Sample.session) }
        defer { server.stop() }
        let clock = BoxClock()
        let backend = try backend(server, clock)
        let step = try await backend.beginLogin(LoginRequest(provider: north), caller(backend, clock))
        guard case .showCode(let login) = step else {
            Issue.record("no code is shown")
            return
        }
        #expect(login.link == "http://127.0.0.1:\(server.port)/api/v2/authenticate/LUMENTV/K7Q2M4X")
        #expect(
            server.requests.map(\.line) == [
                "POST /o/client/register HTTP/1.1", "POST /o/client/token HTTP/1.1",
                "GET /api/v2/LUMENTV/configuration HTTP/1.1", "POST /api/v2/LUMENTV/sessions HTTP/1.1",
            ])
        #expect(server.requests.last?.header("Authorization") == "Bearer t")
    }

    @Test(arguments: [
        answer("<html><body>Log in to the hotel's network</body></html>"), answer(#"{"profiles": {"#), answer(""),
        "HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n" + String(repeating: " ", count: 9000), "\0\0\0\0\r\n\r\n",
    ]) func `an unusable answer is reported as such`(reply: String) async throws {
        let server = try RawServer { connection in
            while let request = connection.readRequest() {
                guard let known = Self.byTheBook(request) else {
                    connection.send(reply)
                    break
                }
                connection.send(known)
            }
        }
        defer { server.stop() }
        let clock = BoxClock()
        let backend = try backend(server, clock, bodyLimit: 4096)
        let caller = caller(backend, clock)
        let fault = await #expect(throws: BackendFault.self) { try await backend.pollLogin(Sample.login, caller) }
        #expect(fault?.kind == .unusableAnswer)
    }

    @Test func `a header that an app must not send is refused before anything is sent`() async throws {
        let server = try RawServer.answering { _ in answer("") }
        defer { server.stop() }
        let clock = BoxClock()
        let backend = try backend(server, clock)
        var caller = caller(backend, clock)
        caller.options.texts[.deviceInfo] = "e30=\r\nX-Forwarded-For: 1.2.3.4"
        let fault = await #expect(throws: BackendFault.self) { try await backend.prepare(caller) }
        guard case .refused(let error) = fault?.kind else {
            Issue.record("it is not refused")
            return
        }
        #expect(error.status == 400)
        #expect(server.connectionCount == 0)
    }
}
