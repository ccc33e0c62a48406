// Tests a running server: a seed makes it repeatable, only this machine can use its controls, and it speaks TLS.

import PassTestTools
import Testing

@testable import PassSandbox

@Suite struct ServerTests {
    @Test func `with the same seed, codes, ids and keys repeat`() throws {
        func dealt(_ seed: String) throws -> [String] {
            let sandbox = try RunningSandbox(["--seed", seed])
            var television = Television(sandbox)
            let statement = try passSandbox(["statement", "lumen-tv", "--seed", seed]).output.trimmed
            try television.register(statement)
            try television.fetchToken()
            let code = try television.openSession()
            let certificate = try sandbox.request("GET", "/sandbox/certificate")
            #expect(certificate.status == 200)
            return [television.client, television.secret, television.token, code, certificate.text]
        }
        let one = try dealt("7")
        #expect(try dealt("7") == one)
        let other = try dealt("8")
        for (mine, its) in zip(one, other) { #expect(mine != its) }
    }

    @Test(arguments: [
        (["Host: tv.example"], 403), (["Host: 192.0.2.1:8642"], 403), (["Sec-Fetch-Site: cross-site"], 403),
        (["Sec-Fetch-Site: same-site"], 403), (["Host: localhost:8642"], 200), (["Sec-Fetch-Site: same-origin"], 200),
    ])
    func `the controls refuse requests with another host name or from another site`(
        headers: [String], status: Int
    ) throws {
        let sandbox = try RunningSandbox()
        #expect(try sandbox.request("GET", "/sandbox/journal", headers).status == status)
        #expect(try sandbox.request("GET", "/activate", headers).status == 200)
    }

    @Test func `the controls refuse peers that are not on loopback`() throws {
        let sandbox = try RunningSandbox(listen: "0.0.0.0:0")
        // A non-loopback address of this machine acts as another machine, because the peer has the same address.
        // Without such an address, only the unit test checks the rule.
        let addresses = try ChildProcess.run(["hostname", "-I"]).output.split(whereSeparator: \.isWhitespace)
        guard let address = addresses.first(where: { $0.contains(".") }) else {
            print("note: this machine has no address beside loopback; ControlTests alone holds the rule")
            return
        }
        let url = "http://\(address):\(sandbox.port)"
        func status(_ path: String) throws -> String {
            try ChildProcess.run([
                "curl", "-s", "-m", "20", "-o", "/dev/null", "-w", "%{http_code}", "-H", "Host: 127.0.0.1", url + path,
            ]).output
        }
        #expect(try status("/sandbox/journal") == "403")
        #expect(try status("/activate") == "200")
        #expect(try status("/sandbox/certificate") == "200")
    }

    @Test func `the server speaks HTTPS with the given certificate`() throws {
        let scratch = TemporaryDirectory()
        func make(_ name: String) throws -> (certificate: String, key: String) {
            let (certificate, key) = (scratch.file(name + ".crt"), scratch.file(name + ".key"))
            let ending = try ChildProcess.run([
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-days",
                "2", "-keyout", key, "-out", certificate, "-subj", "/CN=localhost", "-addext",
                "subjectAltName=IP:127.0.0.1",
            ])
            #expect(ending.status == 0)
            return (certificate, key)
        }
        let own = try make("own")
        let sandbox = try RunningSandbox(["--seed", "1", "--tls-cert", own.certificate, "--tls-key", own.key])
        #expect(sandbox.origin.hasPrefix("https://127.0.0.1:"))
        let page = try ChildProcess.run([
            "curl", "-s", "-m", "20", "--cacert", own.certificate, sandbox.origin + "/activate",
        ])
        #expect(page.status == 0)
        #expect(page.output.contains("<form"))
        #expect(try ChildProcess.run(["curl", "-s", "-m", "20", sandbox.origin + "/activate"]).status == 60)
        let statement = try passSandbox(
            ["statement", "lumen-tv", "--server", sandbox.origin, "--tls-ca", own.certificate])
        #expect(statement.status == 0)
        #expect(try passSandbox(["statement", "lumen-tv", "--server", sandbox.origin]).status == 69)

        let other = try make("other")
        for (certificate, key) in [
            (own.certificate, other.key), (own.certificate, own.certificate), (scratch.file("none"), own.key),
        ] {
            let ending = try passSandbox(
                ["serve", "--listen", "127.0.0.1:0", "--tls-cert", certificate, "--tls-key", key])
            #expect(ending.status == 78)
            #expect(ending.errors.filter(\.isNewline).count == 1, "\(ending.errors)")
        }
    }

    @Test func `clients and viewers are given the public URL`() throws {
        let sandbox = try RunningSandbox(["--seed", "1", "--public-url", "https://tv.example:444/"])
        #expect(sandbox.child.output.contains("known as             https://tv.example:444\n"))
        #expect(sandbox.child.output.contains("https://tv.example:444/activate"))
        var television = Television(sandbox)
        // Clients of the controls use this machine's own name.
        try television.register(try Television.statement(sandbox))
        try television.fetchToken()
        let headers = ["Authorization: Bearer \(television.token)", Television.deviceInfo]
        let reply = try sandbox.request("GET", "/api/v2/LUMENTV/configuration", headers)
        #expect(reply.text.contains("https://tv.example:444/logos/NorthCable.svg"))
    }
}
