// Tests the viewer's decisions without a network first, then on the real pages.

import Dispatch
import Glibc
import PassArguments
import PassJSON
import PassTestTools
import Testing

@testable import PassSandbox
@testable import PassSandboxCLI

@Suite struct ViewerTests {
    private func viewer(_ provider: String? = nil) -> Viewer {
        Viewer(code: "K7Q2M4X", address: nil, provider: provider, user: "ada", password: "p&w")
    }

    private static let codeForm = #"{"heading":"Code","form":{"action":"/activate","fields":{},"asks":["code"]}}"#

    private func page(_ text: String) throws -> (Viewer.Step, WebPage.Form) {
        let answer = HTTPClient.Answer(status: 200, body: Array(text.utf8), url: "", redirect: nil)
        let form = try #require(WebPage(answer)?.form)
        return (Viewer.Step(form), form)
    }

    @Test func `the viewer types the code, chooses the provider and fills in the login`() throws {
        let viewer = viewer("B")
        let (first, codeForm) = try page(Self.codeForm)
        #expect(first == .code)
        #expect(try viewer.fill(codeForm, for: first) == ["code": "K7Q2M4X"])

        let (second, choiceForm) = try page(
            #"{"heading":"","form":{"action":"/","fields":{"code":"K7Q2M4X"},"asks":[],"providers":["A","B"]}}"#)
        #expect(second == .provider)
        #expect(try viewer.fill(choiceForm, for: second) == ["code": "K7Q2M4X", "mvpd": "B"])
        #expect(throws: Failure(.no, "provider \"C\" is not offered; the page offers A, B")) {
            try self.viewer("C").fill(choiceForm, for: .provider)
        }
        #expect(throws: Failure(.usage, "--provider is missing; the page offers A, B")) {
            try self.viewer().fill(choiceForm, for: .provider)
        }

        let (third, loginForm) = try page(
            #"{"heading":"","form":{"action":"/","fields":{"csrf":"t","mvpd":"B"},"asks":["user","password"]}}"#)
        #expect(third == .password)
        #expect(
            try viewer.fill(loginForm, for: third) == ["csrf": "t", "mvpd": "B", "user": "ada", "password": "p&w"])
    }

    @Test func `only the server's own addresses are followed`() throws {
        let server = try ServerURL(option: .server, "http://127.0.0.1:8642")
        #expect(server.owns("http://127.0.0.1:8642/x"))
        for other in [
            "http://127.0.0.1:8643/x", "https://127.0.0.1:8642/x", "http://127.0.0.1:8642@other.example/", "file:///x",
            "lumentv://x", "http://127.0.0.1.other.example:8642/",
        ] { #expect(!server.owns(other), "\(other)") }
    }

    @Test func `log-in plays the viewer on the real pages`() throws {
        let sandbox = try RunningSandbox()
        var television = Television(sandbox)
        try television.register(Television.statement(sandbox))
        try television.fetchToken()
        func logIn(_ code: String, _ words: [String], input: String = "") throws -> ChildProcess.Ending {
            try passSandbox(["log-in", code, "--server", sandbox.origin] + words, input: input)
        }
        let ada = ["--user", "ada", "--password", "lovelace"]
        let unknown = try logIn("ZZZZZZZ", ada)
        #expect(unknown.status == 3)
        #expect(unknown.errors.contains("do not know this code"))

        // Here the viewer chooses the provider.
        let open = try television.openSession("domainName=localhost&redirectUrl=http%3A%2F%2Flocalhost%3A9%2F")
        #expect(try logIn(open, ada).errors.contains("the page offers NorthCable, "))
        let wrong = try logIn(open, ["--provider", "NorthCable", "--user", "ada", "--password", "byron"])
        #expect(wrong.status == 3)
        #expect(wrong.errors.contains("User name or password is wrong"))
        #expect(try television.profiles(open)?.members?.isEmpty == true)
        let right = try logIn(
            open, ["--provider", "NorthCable", "--user", "ada", "--password", "-"], input: "lovelace\n")
        #expect(right.status == 0, "\(right.errors)")
        #expect(right.output.hasPrefix("logged in: "))
        #expect(try television.profiles(open)?["NorthCable"] != nil)
        #expect(try logIn(open, ["--provider", "NorthCable"] + ada).status == 3)

        // Here the TV has chosen the provider.
        let chosen = try television.openSession(
            "mvpd=BeaconTV&domainName=localhost&redirectUrl=http%3A%2F%2Flocalhost%3A9%2F")
        let omar = ["--user", "omar", "--password", "lighthouse"]
        let other = try logIn(chosen, ["--provider", "NorthCable"] + omar)
        #expect(other.status == 3)
        #expect(other.errors.contains("--provider NorthCable: this code is for a login at BeaconTV"))
        #expect(try logIn(chosen, ["--provider", "BeaconTV"] + omar).status == 0)

        let token = try television.authorize()
        let elsewhere = try passSandbox(
            ["verify", "-", "--resource", "lumen-movies", "--server", sandbox.origin], input: token)
        #expect(elsewhere.status == 3 && elsewhere.output.hasPrefix("INVALID_RESOURCE_ID\n"))
        let first = try passSandbox(["verify", token, "--resource", "lumen-sports-1", "--server", sandbox.origin])
        #expect(first.status == 0 && first.output.hasPrefix("VALID_TOKEN\nresource: lumen-sports-1\n"))
        #expect(
            first.output.contains("Z\nlifetime: 7 minutes\n") && first.output.contains("\nissued: 20"),
            "\(first.output)")
        let second = try ChildProcess.run(
            [program, "verify", token], environment: ["SANDBOX": sandbox.origin])
        #expect(second.status == 3 && second.output.hasPrefix("TOKEN_ALREADY_USED\n"))
    }

    @Test func `log-in opens the address that the TV shows, on any host`() throws {
        let sandbox = try RunningSandbox(["--seed", "1", "--foreign"])
        var television = Television(sandbox)
        try television.register(Television.statement(sandbox))
        try television.fetchToken()
        let page = try #require(
            sandbox.child.output.split(separator: "\n").first { $0.contains("viewers log in at") }?
                .split(separator: " ").last)
        #expect(page.hasPrefix("http://localhost:") && page.hasSuffix("/enter/link"))
        let code = try television.openSession("mvpd=NorthCable")
        func logIn(_ place: String) throws -> ChildProcess.Ending {
            try passSandbox(["log-in", place, "--user", "ada", "--password", "lovelace"])
        }
        #expect(try logIn(page + "?code=ZZZZZZZ").status == 3)
        let right = try logIn(page + "?code=" + code)
        #expect(right.status == 0 && right.output == "logged in: You are signed in\n", "\(right)")
        #expect(try logIn("ftp://localhost/").status == 64)
        #expect(try logIn("http://").status == 64)
    }

    private static let loginForm =
        #"{"heading":"Sign in","form":{"action":"/login/1","fields":{},"asks":["user","password"]}}"#

    private static func problem(_ text: String) -> String { #"{"heading":"A page","problem":"\#(text)"}"# }

    @Test(
        arguments: [
            ([answer("404 Not Found", "<h1>Not here</h1>")], 1, "does not look like a pass-sandbox"),
            ([answer("200 OK", "<h1>Hello</h1>")], 1, "does not look like a pass-sandbox"),
            ([answer("403 Forbidden", "<p role=alert>No</p>")], 1, "does not look like a pass-sandbox"),
            ([answer("200 OK", loginForm)], 1, "does not look like a pass-sandbox"),
            ([redirect("http://other.example/")], 1, "redirects to http://other.example/"),
            ([answer("403 Forbidden", #"{"message":"not\nfrom here"}"#)], 77, "not from here"),
            ([answer("503 Busy", "")], 75, "answered 503"),
            ([answer("429 Slow down", "<h1>Too Many Requests</h1>")], 75, "answered 429"),
            ([answer("200 OK", codeForm), answer("429 No", problem("Wait"))], 75, "Wait"),
            ([answer("200 OK", codeForm), answer("403 No", problem("Too many"))], 3, "Too many"),
            ([answer("200 OK", codeForm), answer("400 No", codeForm)], 3, "Code"),
            ([answer("200 OK", codeForm), answer("500 No", problem("Broken"))], 1, "Broken"),
            ([answer("200 OK", codeForm), redirect("http://other.example/")], 1, "no login form was shown"),
            (["\n"], 69, "cannot be reached"),
            ([""], 69, "https://"),
        ] as [([String], Int32, String)])
    func `a failed login says why`(answers: [String], status: Int32, says: String) throws {
        let server = try CannedServer(answers)
        let ending = try passSandbox([
            "log-in", "K7Q2M4X", "--user", "ada", "--password", "x", "--server", server.origin,
        ])
        #expect(ending.status == status, "\(ending)")
        #expect(ending.output.isEmpty && ending.errors.contains(says), "\(ending.errors)")
        #expect(ending.errors.filter(\.isNewline).count == 1)
    }

    @Test func `a viewer who needs no password sees a message about the login only on the end page`() throws {
        let form = answer("200 OK", Self.codeForm)
        for (answers, says) in [
            ([form, answer("200 OK", #"{"heading":"Not needed"}"#)], "no password was needed: Not needed\n"),
            (
                [form, redirect("/activated?login=1"), answer("200 OK", #"{"heading":"Go\u0007 back"}"#)],
                "logged in: Go  back\n"
            ),
        ] {
            let server = try CannedServer(answers)
            let ending = try passSandbox([
                "log-in", "K7Q2M4X", "--user", "ada", "--password", "x", "--server", server.origin,
            ])
            #expect(ending == ChildProcess.Ending(status: 0, output: says, errors: ""))
        }
    }
}

private func answer(_ status: String, _ body: String) -> String {
    "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
}

private func redirect(_ place: String) -> String {
    "HTTP/1.1 302 Found\r\nLocation: \(place)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
}

/// A server that sends canned answers, one connection after the other.
private final class CannedServer {
    let origin: String
    private let listener: Int32
    private let done = DispatchGroup()

    init(_ answers: [String]) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 8) == 0 ? getsockname(listener, $0, &size) : -1
            }
        }
        guard code == 0 else { throw TestFailure("no port: \(errno)") }
        self.listener = listener
        origin = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
        DispatchQueue(label: "canned server").async(group: done) {
            for answer in answers {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                var request = [UInt8](repeating: 0, count: 1 << 16)
                _ = recv(connection, &request, request.count, 0)
                _ = answer.withCString { send(connection, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
                shutdown(connection, Int32(SHUT_WR))
                _ = recv(connection, &request, request.count, 0)
                close(connection)
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        done.wait()
        close(listener)
    }
}
