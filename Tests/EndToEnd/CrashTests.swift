// Tests `serve --state`: all acknowledged data survive a crash at any moment and a full disk.

import Dispatch
import FoundationEssentials
import Glibc
import PassJSON
import PassTestTools
import Testing

@testable import PassSandbox

@Suite struct CrashTests {
    @Test func `acknowledged data survive a kill at any moment`() throws {
        let scratch = TemporaryDirectory()
        let options = ["--seed", "5", "--state", scratch.file("state")]
        var random = SeededRandom(number: 8642)
        var clients: [(id: String, secret: String)] = []
        var sandbox = try RunningSandbox(options)
        let statement = try Television.statement(sandbox)
        var viewer = Television(sandbox)
        try viewer.register(statement)
        try viewer.fetchToken()
        let code = try viewer.openSession()
        #expect(
            try passSandbox(["log-in", code, "--user", "ada", "--password", "lovelace", "--server", sandbox.origin])
                .status == 0)
        let media = try viewer.authorize()

        for round in 0..<50 where round < 10 || clients.count < 5 {
            let id = sandbox.child.id
            let moment = DispatchTimeInterval.microseconds(Int(random.fraction() * 200_000))
            DispatchQueue.global().asyncAfter(deadline: .now() + moment) { kill(id, SIGKILL) }
            while true {
                var television = Television(sandbox)
                do { try television.register(statement) } catch { break }
                clients.append((television.client, television.secret))
            }
            _ = try sandbox.child.wait()
            sandbox = try RunningSandbox(options)
        }
        #expect(clients.count >= 5, "too few data were acknowledged")
        #expect(Set(clients.map(\.id)).count == clients.count)
        for (id, secret) in clients {
            var television = Television(sandbox)
            television.client = id
            television.secret = secret
            try television.fetchToken()
        }
        var again = Television(sandbox)
        again.token = viewer.token
        #expect(try again.profiles(code)?["NorthCable"]?["type"] == "regular")
        #expect(try sandbox.control("/sandbox/verify", ["token": .string(media)])["result"] == "VALID_TOKEN")
        try sandbox.crash()
        sandbox = try RunningSandbox(options)
        #expect(try sandbox.control("/sandbox/verify", ["token": .string(media)])["result"] == "TOKEN_ALREADY_USED")
    }

    @Test func `a full disk fails the request, but the server continues`() throws {
        let scratch = TemporaryDirectory()
        let options = ["--seed", "5", "--state", scratch.file("state")]
        // Wrong guesses are counted only with the throttle.
        let sandbox = try RunningSandbox(options, throttled: true)
        let statement = try Television.statement(sandbox)
        var before = Television(sandbox)
        try before.register(statement)
        var about = stat()
        stat(scratch.file("state"), &about)
        // A limit of the file's size simulates a disk that becomes full in the middle of a line.
        func limit(_ size: String) throws {
            #expect(try ChildProcess.run(["prlimit", "--pid", "\(sandbox.child.id)", "--fsize=\(size):"]).status == 0)
        }
        try limit("\(about.st_size + 20)")
        var during = Television(sandbox)
        for _ in 0..<3 {
            #expect {
                try during.register(statement)
            } throws: { "\($0)".contains("register: 500") }
        }
        #expect(sandbox.answers)
        // A browser gets an error page, because the wrong guess cannot be counted.
        let seen = try ChildProcess.run([
            "curl", "-s", "-o", "/dev/null", "-w", "%{http_code} %{content_type}",
            sandbox.origin + "/activate?code=ZZZZZZZ",
        ])
        #expect(seen.output == "500 text/html;charset=utf-8")
        try limit("unlimited")
        var after = Television(sandbox)
        try after.register(statement)
        try sandbox.crash()
        let restarted = try RunningSandbox(options)
        for television in [before, after] {
            var again = Television(restarted)
            again.client = television.client
            again.secret = television.secret
            try again.fetchToken()
        }
    }

    @Test func `a second server on the same file is refused, but statements can be made while a server runs`() throws {
        let scratch = TemporaryDirectory()
        let files = ["--state", scratch.file("state")]
        let early = try passSandbox(["statement", "lumen-tv"] + files).output.trimmed
        let sandbox = try RunningSandbox(files)
        let second = try passSandbox(["serve", "--listen", "127.0.0.1:0"] + files)
        #expect(second.status == 1)
        #expect(second.errors == "pass-sandbox: \(scratch.file("state")) is in use by another pass-sandbox\n")
        let late = try passSandbox(["statement", "lumen-tv"] + files).output.trimmed
        for statement in [early, late] {
            var television = Television(sandbox)
            try television.register(statement)
        }
        let stranger = try passSandbox(["statement", "lumen-tv", "--seed", "99"]).output.trimmed
        var television = Television(sandbox)
        #expect {
            try television.register(stranger)
        } throws: { "\($0)".contains("invalid_software_statement") }
    }

    @Test func `a damaged file is refused with the number of the line`() throws {
        let scratch = TemporaryDirectory()
        let path = scratch.file("state")
        let sandbox = try RunningSandbox(["--state", path])
        let statement = try Television.statement(sandbox)
        for _ in 0..<3 {
            var television = Television(sandbox)
            try television.register(statement)
        }
        try sandbox.crash()
        var lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
        let place = lines.count - 2
        #expect(lines[place].contains("client"))
        lines[place] = lines[place].replacing("client", with: "cliemt")
        try (lines.joined(separator: "\n") + "\n").write(toFile: path, atomically: false, encoding: .utf8)
        let ending = try passSandbox(["serve", "--listen", "127.0.0.1:0", "--state", path])
        #expect(ending.status == 1)
        #expect(ending.errors.hasPrefix("pass-sandbox: \(path):\(place + 1): the state file is damaged ("))
        #expect(ending.errors.filter(\.isNewline).count == 1)
    }
}
