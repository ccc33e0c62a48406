// Tests the sandbox's command line: mistakes, help, ports, files. Contract: operations.md §1.

import FoundationEssentials
import Glibc
import PassArguments
import PassTestTools
import Testing

@testable import PassSandboxCLI

@Suite struct CommandLineTests {
    @Test(
        arguments: [
            ([], "No verb is given. pass-sandbox --help lists the verbs."),
            (["sreve"], "Unknown verb \"sreve\". Did you mean serve?"),
            (["--foo"], "Unknown option --foo."),
            (["help", "nothing"], "Unknown verb \"nothing\"."),
            (["help", "serve", "extra"], "Unexpected argument \"extra\". Usage: pass-sandbox help [VERB…]."),
            (["help", "serve", "--bogus"], "help has no option --bogus."),
            (["--version", "--bogus"], "Unknown option --bogus."),
            (["serve", "--version", "--bogus"], "serve has no option --bogus"),
            (["serve", "--lisen", "1"], "Did you mean --listen?"),
            (["serve", "--listen", "here"], "127.0.0.1:8642"),
            (["serve", "--listen", "127.0.0.1:70000"], "should be an address and a port"),
            (["serve", "--listen", "localhost:80"], "should be an address and a port"),
            (["serve", "--seed", "minus"], "--seed minus is not a number from 0 to 18446744073709551615."),
            (["serve", "--seed", "18446744073709551616"], "is not a number from 0 to"),
            (["serve", "--seed", "+1"], "--seed +1 is not a number"),
            (["serve", "--seed=-0"], "--seed -0 is not a number"),
            (["serve", "--seed"], "--seed needs a value"),
            (["serve", "--seed="], "--seed needs a value"),
            (["serve", "--catalog", "--no-throttle"], "--catalog needs a value"),
            (["serve", "--seed", "1", "--seed", "1"], "--seed is given twice"),
            (["serve", "--no-throttle=yes"], "--no-throttle takes no value"),
            (["serve", "now"], "Unexpected argument \"now\". Usage: pass-sandbox serve"),
            (["serve", "--tls-cert", "cert.pem"], "--tls-cert needs --tls-key."),
            (["box", "--web-port", "1"], "--web-port needs --web."),
            (["serve", "--public-url", "ftp://tv.example"], "should be http:// or https://"),
            (["serve", "--public-url", "http://tv.example/path"], "should be http:// or https://"),
            (["serve", "--request-time", "2"], "should be a time"),
            (["statement"], "APP is missing"),
            (["statement", "a", "b"], "Unexpected argument \"b\"."),
            (
                ["statement", "lumen-tv", "--seed", "1", "--server", "http://127.0.0.1:1"],
                "--server and --seed exclude each other."
            ),
            (["statement", "lumen-tv", "--catalog", "Config/sandbox/catalog.json"], "add --state or --seed"),
            (["service-token"], "SUBSCRIBER is missing"),
            (["log-in", "K7Q2M4X", "--user", "ada"], "--password is missing"),
            (
                ["log-in", "K7Q2M4X", "--password", "-x", "--user", "ada"],
                "--password=PW if the value begins with a dash"
            ),
            (["log-in", "--user", "ada", "--password", "x"], "CODE|ADDRESS is missing"),
            (["log-in", "K7Q2M4X", "--user", "ada", "--password", "-"], "no password on standard input"),
            (["verify"], "TOKEN is missing"),
            (["verify", "-", "--server", "http://a:1/x"], "should be http:// or https://"),
            (["verify", "x", "--server", "http://u:p@127.0.0.1:1"], "should be http:// or https://"),
        ] as [([String], String)])
    func `a mistake ends with 64 and one line`(words: [String], says: String) throws {
        // "verify -" reads its token first.
        let ending = try passSandbox(words, input: words.first == "verify" ? "token\n" : "")
        #expect(ending.status == 64)
        #expect(ending.output.isEmpty)
        #expect(ending.errors.hasPrefix("pass-sandbox: ") && ending.errors.contains(says), "\(ending.errors)")
        #expect(ending.errors.filter(\.isNewline).count == 1)
    }

    @Test(arguments: ProgramSyntax.passSandbox.verbs.map(\.name))
    func `every verb has help and prints the version`(verb: String) throws {
        for words in [[verb, "--help"], ["help", verb], [verb, "-h"]] {
            let help = try passSandbox(words)
            #expect(help.status == 0)
            #expect(help.output.hasPrefix("usage: pass-sandbox \(verb)") && help.errors.isEmpty)
            for option in ProgramSyntax.passSandbox.verbs.first(where: { $0.name == verb })?.options ?? [] {
                #expect(help.output.contains("  \(option.usage) "))
            }
        }
        #expect(try passSandbox([verb, "--version"]).output.hasPrefix("pass-sandbox \(version)"))
    }

    @Test(arguments: [
        ["serve", "--seed", "--help"], ["serve", "--bogus", "--help"], ["serve", "--help", "--bogus"],
        ["serve", "--version", "--help"], ["serve", "now", "-h"], ["help", "serve", "--help"],
    ])
    func `help is printed even if other words are wrong`(words: [String]) throws {
        let help = try passSandbox(words)
        #expect(help.status == 0 && help.errors.isEmpty)
        #expect(help.output.hasPrefix("usage: pass-sandbox serve"))
    }

    @Test(arguments: [
        "--help", "--version", "help verify", "statement lumen-tv --seed 1", "service-token ada --seed 1",
    ])
    func `an answer that cannot be written is a failure`(words: String) throws {
        for (place, reason) in [("> /dev/full", "No space left on device"), (">&-", "Bad file descriptor")] {
            let ending = try ChildProcess.run(["sh", "-c", "'\(program)' \(words) \(place)"], folder: repository)
            #expect(ending.status == 1)
            #expect(ending.errors == "pass-sandbox: cannot write to standard output: \(reason)\n")
        }
        let reader = try ChildProcess.run(
            ["sh", "-c", "trap '' PIPE; { sleep 0.1; '\(program)' \(words); echo $? >&2; } | :"], folder: repository)
        #expect(reader.errors == "0\n")
    }

    @Test func `text from a server stays on its line`() {
        #expect("a\nb\r\u{1B}[31mc\u{7}\u{9B}d\u{2028}e\u{202E}f\tü – 👩‍👩‍👧".onOneLine == "a b  [31mc  d e f ü – 👩‍👩‍👧")
    }

    @Test func `help and version work even with unknown options`() throws {
        for words in [["--help"], ["help"], ["-h"], ["--help", "--bogus"], ["--bogus", "--help"]] {
            let help = try passSandbox(words)
            #expect(help.status == 0)
            for verb in ProgramSyntax.passSandbox.verbs { #expect(help.output.contains("  \(verb.name) ")) }
        }
        #expect(try passSandbox(["--version"]).output.hasPrefix("pass-sandbox \(version)"))
    }

    @Test func `a port in use is named`() throws {
        let sandbox = try RunningSandbox()
        let ending = try passSandbox(["serve", "--listen", "127.0.0.1:\(sandbox.port)", "--seed", "1"])
        #expect(ending.status == 1)
        #expect(ending.errors.hasPrefix("pass-sandbox: 127.0.0.1:\(sandbox.port) is in use"))
        #expect(ending.errors.filter(\.isNewline).count == 1)
        #expect(sandbox.answers)
    }

    @Test func `a wrong catalogue is refused with file, line and place`() throws {
        let scratch = TemporaryDirectory()
        let text = try String(contentsOfFile: shippedCatalogue, encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let line = (lines.firstIndex { $0.contains("\"mediaTokenLifetime\"") } ?? 0) + 1
        let path = scratch.write(
            text.split(separator: "\n", omittingEmptySubsequences: false)
                .map { $0.contains("\"mediaTokenLifetime\"") ? "    \"mediaTokenLifetime\": 7" : String($0) }
                .joined(separator: "\n"), to: "catalog.json")
        let ending = try passSandbox(["serve", "--catalog", path, "--listen", "127.0.0.1:0"])
        #expect(ending.status == 78)
        #expect(
            ending.errors.hasPrefix(
                "pass-sandbox: \(path): line \(line): settings.mediaTokenLifetime: should be a string"),
            "\(ending.errors)")
        #expect(ending.errors.filter(\.isNewline).count == 1)

        let missing = try passSandbox(["serve", "--catalog", scratch.file("none.json")])
        #expect(missing.status == 78)
        #expect(missing.errors.contains("none.json: the catalogue cannot be read"))
    }

    @Test(arguments: [
        ["statement", "lumen-tv"], ["service-token", "ada"], ["verify", "x"],
        ["log-in", "K7Q2M4X", "--user", "ada", "--password", "x"],
    ])
    func `an unreachable server ends the command with 69`(words: [String]) throws {
        let ending = try passSandbox(words + ["--server", "http://127.0.0.1:1"])
        #expect(ending.status == 69)
        #expect(ending.errors.contains("http://127.0.0.1:1 cannot be reached"))
        #expect(ending.errors.filter(\.isNewline).count == 1)
    }

    @Test func `an unknown app is answered with a list of the known apps, with and without a server`() throws {
        let sandbox = try RunningSandbox()
        let scratch = TemporaryDirectory()
        let state = scratch.file("state")
        for place in [["--seed", "1"], ["--state", state], ["--server", sandbox.origin]] {
            let ending = try passSandbox(["statement", "lumen"] + place)
            #expect(ending.status == 1)
            #expect(ending.errors.contains("lumen-tv"), "\(ending.errors)")
        }
        #expect(access(state, F_OK) != 0, "a wrong name creates no state file")
    }

    @Test func `signals end the server cleanly`() throws {
        for number in [SIGTERM, SIGINT, SIGHUP] {
            let sandbox = try RunningSandbox()
            #expect(sandbox.answers)
            sandbox.child.signal(number)
            let ending = try sandbox.child.wait()
            #expect(ending.status == 0)
            #expect(ending.errors.isEmpty)
        }
    }

    @Test func `a server that listens beyond loopback without TLS prints a warning`() throws {
        let sandbox = try RunningSandbox(listen: "0.0.0.0:0")
        #expect(sandbox.child.errors.contains("warning: 0.0.0.0:0 can be reached from other machines"))
        #expect(sandbox.answers)
    }

    @Test func `secrets of the running server do not reach a core file`() throws {
        let sandbox = try RunningSandbox()
        let limits = try String(contentsOfFile: "/proc/\(sandbox.child.id)/limits", encoding: .utf8)
        let line = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
        #expect(line?.split(separator: " ").dropFirst(4).first == "1")
    }
}
