// Tests which TLS versions and certificates are offered and accepted. The servers are `openssl s_server` with test
// certificates.

import PassTestTools
import Testing

@testable import PassBackend

@Suite("TLS is verified") struct SecureConnectionTests {
    private func configuration(trusting file: String?) -> HTTPConfiguration {
        var configuration = HTTPConfiguration.patient
        configuration.certificateAuthorities = file
        return configuration
    }

    @Test func `a certificate of the configured authority is accepted, and the answer arrives`()
        async throws
    {
        let server = try await SecureServer.start(name: "localhost")
        defer { server.stop() }
        let client = HTTPClient(configuration(trusting: server.certificate))
        let response = try await client.send(HTTPRequest(.get, server.url("localhost")))
        #expect(response.status == 200)
    }

    @Test func `a certificate of an unknown authority is refused, even on loopback`() async throws {
        let server = try await SecureServer.start(name: "localhost")
        defer { server.stop() }
        await expectRefusal(HTTPClient(configuration(trusting: nil)), try server.url("localhost"), .unknownIssuer)
    }

    @Test func `a certificate for another host name is refused`() async throws {
        let server = try await SecureServer.start(name: "other.example")
        defer { server.stop() }
        await expectRefusal(
            HTTPClient(configuration(trusting: server.certificate)), try server.url("localhost"), .wrongHost)
    }

    @Test(arguments: [
        ("200101000000Z", "210101000000Z", TLSTrouble.expired), ("400101000000Z", "410101000000Z", .notYetValid),
    ]) func `an expired or future certificate is refused, and the reason says so`(
        from: String, to: String, trouble: TLSTrouble
    ) async throws {
        let server = try await SecureServer.start(name: "localhost", validity: (from, to))
        defer { server.stop() }
        await expectRefusal(
            HTTPClient(configuration(trusting: server.certificate)), try server.url("localhost"), trouble)
    }

    @Test func `unreadable certificate authorities are reported as the reason`() async throws {
        let server = try await SecureServer.start(name: "localhost")
        defer { server.stop() }
        await expectRefusal(
            HTTPClient(configuration(trusting: "/nowhere.pem")), try server.url("localhost"), .unusableAuthorities)
    }

    @Test(arguments: [("-tls1_3", TLSTrouble.clientCertificate), ("-tls1_2", .noHandshake)])
    func `a service that requires a client certificate is reported with a reason of its own`(
        version: String, trouble: TLSTrouble
    ) async throws {
        let server = try await SecureServer.start(
            name: "localhost", options: [version, "-Verify", "1", "-verify_return_error"])
        defer { server.stop() }
        await expectRefusal(
            HTTPClient(configuration(trusting: server.certificate)), try server.url("localhost"), trouble)
    }

    @Test func `all reasons differ, and each is a phrase`() {
        let all: [TLSTrouble] = [
            .expired, .notYetValid, .revoked, .wrongHost, .unknownIssuer, .unusableAuthorities, .clientCertificate,
            .noHandshake,
            .other("x"),
        ]
        #expect(Set(all.map(\.description)).count == all.count)
    }

    @Test func `a service with TLS 1.1 or older is refused`() async throws {
        let server = try await SecureServer.start(
            name: "localhost", options: ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"])
        defer { server.stop() }
        await expectRefusal(HTTPClient(configuration(trusting: server.certificate)), try server.url("localhost"))
    }

    @Test func `plain HTTP instead of TLS is refused`() async throws {
        let server = try RawServer { connection in
            _ = connection.read(atLeast: 1)
            connection.send(answer("ok"))
        }
        defer { server.stop() }
        let url = try Origin("https://127.0.0.1:\(server.port)").url(["a"])
        let client = HTTPClient(.patient)
        do {
            _ = try await client.send(HTTPRequest(.get, url))
            Issue.record("an answer")
        } catch .tls {} catch { Issue.record(error) }
    }

    @Test func `HTTP/2 is offered, TLS 1.1 is not`() async throws {
        let hello = ByteBox()
        let server = try RawServer { hello.put($0.read(atLeast: 100)) }
        defer { server.stop() }
        let url = try Origin("https://127.0.0.1:\(server.port)").url(["a"])
        _ = try? await HTTPClient(.patient).send(HTTPRequest(.get, url))
        await eventually { !hello.bytes.isEmpty }
        let protocols = Array("\u{2}h2\u{8}http/1.1".utf8)
        #expect(hello.bytes.indices.contains { hello.bytes[$0...].starts(with: protocols) })
        // The extension "supported versions": type 43, its length, the list's length, TLS 1.3 and TLS 1.2.
        let versions: [UInt8] = [0, 43, 0, 5, 4, 3, 4, 3, 3]
        #expect(hello.bytes.indices.contains { hello.bytes[$0...].starts(with: versions) })
    }

    private func expectRefusal(_ client: HTTPClient, _ url: ServiceURL, _ expected: TLSTrouble? = nil) async {
        do {
            _ = try await client.send(HTTPRequest(.get, url))
            Issue.record("an answer")
        } catch .tls(let trouble) { #expect(expected ?? trouble == trouble) } catch { Issue.record(error) }
    }
}
