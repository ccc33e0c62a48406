// Tests the command line. One table is used for parsing, and errors say what is expected.

import PassArguments
import PassJSON
import PassProtocol
import Testing

@testable import PassCLI

@Suite("operations.md §1: the command line")
struct ArgumentsTests {
    private static let program = ProgramSyntax.passdCLI

    private func arguments(_ words: [String]) throws -> (VerbSyntax, Arguments) {
        guard case .run(let verb, let arguments) = try Self.program.read(words) else {
            throw Mistake("not a run", remedy: "")
        }
        return (verb, arguments)
    }

    @Test(arguments: [
        ["--requestor", "R", "--json", "login", "--provider", "P", "--no-qr"],
        ["--requestor=R", "login", "--provider=P", "--json", "--no-qr"],
        ["login", "--no-qr", "--json", "--requestor", "R", "--provider", "P"],
    ])
    func `options may be before or after the verb, with a blank or an equals sign`(_ words: [String]) throws {
        let (verb, arguments) = try arguments(words)
        #expect(verb.name == "login")
        #expect(arguments[.requestor] == "R")
        #expect(arguments[.provider] == "P")
        #expect(arguments.has(.json) && arguments.has(.noQR) && !arguments.has(.noWait))
    }

    @Test func `ruling 47: the program waits longer than the daemon needs for an answer`() {
        #expect(Option.usualTimeout > 15)
    }

    @Test func `a combining mark after the equals sign belongs to the value`() throws {
        #expect(try arguments(["login", "--provider=\u{301}P"]).1[.provider] == "\u{301}P")
        let params = try Verb.params(arguments(["call", "m", "key=\u{301}v", "a=b=\u{5AD}c"]).1)
        #expect(params["key"]?.string == "\u{301}v" && params["a"]?.string == "b=\u{5AD}c")
    }

    @Test func `why rejects an empty name`() async throws {
        let daemon = try ScriptedDaemon()
        let ran = await run(["why", ""], daemon)
        #expect(ran.exit == .usage && ran.err.hasPrefix("passd-cli: The name is empty.\nUsage: passd-cli why"))
        #expect(daemon.methods.isEmpty)
    }

    @Test func `why with a requestor tells the decisions of this requestor only`() async throws {
        func decision(_ requestor: String, _ code: String) -> JSONValue {
            [
                "time": 1, "kind": "play", "outcome": "denied", "requestorID": .string(requestor), "resource": "film",
                "code": .string(code),
            ]
        }
        let decisions = [
            decision("ZZ", "first"), decision("A", "second"), decision("ZZ", "third"), decision("ZZ", "last"),
        ]
        let daemon = try ScriptedDaemon(["passd.decisions": .result(["decisions": .array(decisions)])])
        let ran = await run(["--requestor", "ZZ", "why", "film", "--limit", "2"], daemon)
        #expect(ran.exit == .done && ran.out.contains("code third") && ran.out.contains("code last"), "\(ran)")
        #expect(!ran.out.contains("first") && !ran.out.contains("second"))
        #expect(daemon.params(of: "passd.decisions") == [["about": "film", "limit": .int(Int64(Decisions.maxLimit))]])
        let other = await run(["--requestor", "B", "why", "film"], daemon)
        #expect(other.exit == .no && other.err.contains("no decisions about film"))
    }

    @Test func `two dashes end the options, and a value may contain an equals sign`() throws {
        let (_, authorize) = try arguments(["authorize", "--", "--odd"])
        #expect(authorize.operands == ["--odd"])
        let (_, call) = try arguments(["call", "m", "a=b=c", "--requestor=x=y"])
        #expect(call.operands == ["m", "a=b=c"])
        #expect(call[.requestor] == "x=y")
    }

    @Test func `a verb may have two words, with options between`() throws {
        let (verb, arguments) = try arguments(["policy", "--json", "explain", "getAuthorization", "--uid", "7"])
        #expect(verb.name == "policy explain")
        #expect(arguments.operands == ["getAuthorization"])
    }

    static let mistakes: [([String], String, String)] = [
        ([], "No verb is given.", "--help"),
        (["statsu"], "Unknown verb \"statsu\".", "Did you mean status?"),
        (["xyzzyplugh"], "Unknown verb", "--help lists"),
        (["policy"], "policy alone is not a verb.", "Did you mean policy explain?"),
        (["policy", "explian", "m"], "policy alone is not a verb.", "Did you mean policy explain?"),
        (["login", "--provder", "x"], "login has no option --provder.", "Did you mean --provider?"),
        (["--jsno", "check"], "Unknown option --jsno.", "Did you mean --json?"),
        (["--provider", "x", "login"], "--provider must come after its verb.", "passd-cli login"),
        (["check", "--provider", "x"], "check has no option --provider.", ""),
        (["--json", "--json", "check"], "--json is given twice.", "Usage"),
        (["--json=yes", "check"], "--json takes no value.", "Usage"),
        (["check", "--requestor"], "--requestor needs a value.", "--requestor ID"),
        (["--requestor", "--json", "check"], "--requestor needs a value.", "--requestor=ID"),
        (["--requestor=", "check"], "--requestor needs a value.", "--requestor ID"),
        (["authorize"], "RESOURCE is missing.", "Usage: passd-cli authorize [--login] [--provider ID] RESOURCE."),
        (["preauthorize"], "RESOURCE is missing.", "RESOURCE…"),
        (["authorize", "a", "b"], "Unexpected argument \"b\".", "Usage"),
        (["check", "a"], "Unexpected argument \"a\".", "Usage"),
        (["call"], "METHOD is missing.", "[KEY=VALUE…]"),
        (["authorize", ""], "RESOURCE is missing.", "Usage: passd-cli authorize [--login] [--provider ID] RESOURCE."),
        (["login", "--qr", "drak"], "--qr drak is not one of auto, light, dark, color.", "Did you mean dark?"),
        (["complete", "users"], "\"users\" is not one of requestors, providers, resources.", "Usage"),
        (["login", "--no-qr", "--qr", "dark"], "--no-qr and --qr exclude each other.", "Usage"),
        (["policy", "explain", "m", "--uid", "7", "--pid", "8"], "--uid and --pid exclude each other.", "Usage"),
        (["call", "m", "x"], "\"x\" is not a parameter.", "KEY=VALUE"),
        (["call", "m", "=x"], "\"=x\" is not a parameter.", "KEY=VALUE"),
        (["call", "m", "a=1", "a=2"], "a is given twice.", "Usage"),
        (["--timeout", "soon", "check"], "--timeout soon is not a valid time.", "seconds"),
        (["--timeout", "0", "check"], "--timeout 0 is not a valid time.", "seconds"),
        (["forget"], "No logins are selected.", "--all"),
        (["forget", "--all", "--provider", "x"], "--all and --provider exclude each other.", "Usage"),
        (["metadata", "authorization"], "authorization needs a resource.", "--resource"),
        (["metadata", "zip", "--resource", "r"], "--resource is only for the key authorization.", "Usage"),
        (["metadata", "METADATA_USER_META"], "METADATA_USER_META is not the name of a value.", "zip"),
        (["policy", "explain", "m", "--uid", "bob"], "--uid bob is not a number from 0 to 4294967295.", "Usage"),
        (["--instance", "a/b", "check"], "--instance a/b is not the name of an instance.", "20 small letters"),
        (["--instance", "a", "--socket", "/s", "check"], "--instance and --socket exclude each other.", "Usage"),
        (["help", "lgoin"], "Unknown verb \"lgoin\".", "Did you mean login?"),
        (["help", "policy", "explian"], "policy alone is not a verb.", "Did you mean policy explain?"),
        (["help", "login", "now"], "Unexpected argument \"now\".", "Usage: passd-cli help"),
        (["help", "policy", "explain", "m"], "Unexpected argument \"m\".", "Usage: passd-cli help"),
    ]

    @Test(arguments: mistakes)
    func `a mistake exits with 64, says what is wrong and what is right, and sends nothing to the daemon`(
        _ words: [String], _ message: String, _ remedy: String
    ) async {
        let ran = await run(words)
        #expect(ran.exit == .usage)
        #expect(ran.out.isEmpty || words.contains("--json"))
        let lines = ran.err.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 3)
        #expect(ran.err.hasPrefix("passd-cli: \(message)"))
        #expect(lines[1].contains(remedy), "\(lines[1])")
    }

    @Test func `with --json a mistake is reported on standard output too`() async throws {
        let ran = await run(["lgoin", "--json"])
        #expect(ran.exit == .usage)
        #expect(try object(ran.out)["kind"] == "error")
        #expect(try object(ran.out)["data"]?["data"]?["code"] == "USAGE")
    }

    @Test(arguments: [["--help"], ["-h"], ["help"], ["help", "help"], ["--help", "nonsense"]])
    func `help lists every verb and every global option`(_ words: [String]) async {
        let ran = await run(words)
        #expect(ran.exit == .done)
        #expect(ran.err == "")
        for verb in Self.program.verbs { #expect(ran.out.contains("  \(verb.name) ")) }
        for option in Self.program.options { #expect(ran.out.contains("  \(option.usage) ")) }
        #expect(ran.out.split(separator: "\n").allSatisfy { $0.count <= 100 })
    }

    @Test(arguments: program.verbs.map(\.name))
    func `each verb has a help page with its usage and options`(_ name: String) async throws {
        let verb = try #require(Self.program.verbs.first { $0.name == name })
        let words = name.split(separator: " ").map(String.init)
        for call in [words + ["--help"], ["--requestor", "R", "--help"] + words, ["help"] + words] {
            let ran = await run(call)
            #expect(ran.exit == .done)
            #expect(ran.out.hasPrefix("usage: \(Self.program.usage(verb))\n"))
            for option in verb.options { #expect(ran.out.contains("  \(option.usage) ")) }
        }
    }

    @Test(arguments: [
        ["help", "policy"], ["policy", "--help"], ["policy", "-h"], ["--json", "help", "policy"],
        ["policy", "explain", "m", "--help"],
    ])
    func `the first word of a verb is enough for its help page`(_ words: [String]) async {
        let ran = await run(words)
        #expect(ran.exit == .done && ran.err == "")
        #expect(ran.out.hasPrefix("usage: passd-cli policy explain "))
    }

    @Test(arguments: [
        ["lgoin", "--help"], ["--json", "lgoin", "-h"], ["policy", "lgoin", "--help"], ["help", "lgoin", "-h"],
    ])
    func `an unknown verb has no help page`(_ words: [String]) async {
        let ran = await run(words)
        #expect(ran.exit == .usage)
        #expect(ran.err.contains("verb"))
        #expect(!ran.out.contains("usage:"))
    }

    @Test func `help and version ignore a closed pipe`() async {
        for words in [["--help"], ["--version"]] {
            let ran = await run(words, console: RecordedConsole(losing: .readerGone))
            #expect(ran.exit == .done && ran.err == "")
        }
    }

    @Test func `the version is printed without other text`() async {
        #expect(await run(["--version"]).out == "\(ProgramSyntax.passdCLI.versionLine)\n")
        #expect(ProgramSyntax.passdCLI.versionLine.hasPrefix("passd-cli \(PassdVersion.text)"))
        #expect(await run(["login", "--version"]).exit == .done)
    }
}
