// Tests the command line of the daemon. operations.md §1.

import PassArguments
import PassBackend
import PassProtocol
import PassSystem
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

@Suite struct InvocationTests {
    private func read(_ words: String...) throws(PassArguments.Mistake) -> Invocation {
        try Invocation(words, workingDirectory: "/home/tv")
    }

    private func options(_ words: String...) throws -> Invocation.Options {
        guard case .run(let options) = try Invocation(words, workingDirectory: "/home/tv") else {
            throw PassArguments.Mistake("not a start", remedy: "")
        }
        return options
    }

    @Test func `without flags the daemon uses the installed files`() throws {
        let options = try options()
        #expect(options == Invocation.Options())
        #expect(options.files == .system())
    }

    @Test(arguments: [" ", "="])
    func `a value is the next word, or follows an equals sign`(sign: String) throws {
        let flags = [
            ("--config", "/my/box.conf"), ("--socket", "/tmp/x/passd.sock"), ("--state-dir", "/tmp/x/state"),
            ("--backend", "https://api.example"), ("--protocol", "v1"), ("--log-level", "debug"),
        ]
        let words = flags.flatMap { sign == "=" ? [$0.0 + "=" + $0.1] : [$0.0, $0.1] } + ["--allow-same-user"]
        guard case .run(let options) = try Invocation(words, workingDirectory: "/") else {
            Issue.record("not a start")
            return
        }
        #expect(options.files == .beside("/my/box.conf"))
        #expect(options.allowsSameUser)
        let workspace = Workspace()
        workspace.overrides = options.overrides
        let loaded = try workspace.load("[backend]\norigin = https://other.example\nburst = 3\n")
        #expect(loaded.configuration.daemon.socket == "/tmp/x/passd.sock")
        #expect(loaded.configuration.daemon.adminSocket == "/tmp/x/admin.sock")
        #expect(loaded.configuration.daemon.logLevel == .debug)
        #expect(loaded.configuration.storage.directory == "/tmp/x/state")
        #expect(loaded.configuration.backend.origin == "https://api.example")
        #expect(loaded.configuration.backend.version == .v1)
        #expect(loaded.configuration.backend.budget.burst == 3)
    }

    @Test func `with a state directory but no configuration, the service is the sandbox on this machine`() throws {
        let workspace = Workspace()
        let loaded = workspace.load(with: try options("--state-dir", "state"))
        #expect(loaded.isGood && loaded.configuration.storage.directory == "/home/tv/state")
        #expect(loaded.configuration.backend.origin == "http://127.0.0.1:8642")
        #expect(loaded.values[Setting.Name("backend", "origin")]?.origin == .flag("--state-dir"))
    }

    @Test(
        arguments: [
            (["--state-dir", "/x", "--backend", "https://api.example"], "", "https://api.example"),
            (["--state-dir", "/x", "--backend", "none"], "", nil),
            (["--state-dir", "/x", "--config", "/x.conf"], "", nil),
            (["--socket", "/x/passd.sock"], "", nil), ([], "", nil),
            (["--state-dir", "/x"], "origin = https://installed.example", "https://installed.example"),
            (["--state-dir", "/x"], "origin = none", nil),
            (["--state-dir", "/x"], "burst = 3", "http://127.0.0.1:8642"),
        ] as [([String], String, String?)])
    func `an explicit service or configuration is not replaced by the sandbox`(
        _ words: [String], _ installed: String, _ origin: String?
    ) throws {
        guard case .run(let options) = try Invocation(words, workingDirectory: "/") else {
            Issue.record("not a start")
            return
        }
        let workspace = Workspace()
        try workspace.write("etc/passd/passd.conf", "[backend]\n\(installed)\n")
        let loaded = workspace.load(with: options)
        #expect(loaded.isGood && loaded.configuration.backend.origin == origin)
    }

    @Test func `an instance has its own paths, unless flags name others`() throws {
        let workspace = Workspace()
        let room = try options("--instance", "room1")
        #expect(room.files == .system(instance: InstanceName("room1")))
        let own = workspace.load(with: room).configuration
        #expect(own.daemon.socket == "/run/passd@room1/passd.sock")
        #expect(own.daemon.adminSocket == "/run/passd@room1/admin.sock")
        #expect(own.storage.directory == "/var/lib/passd@room1")
        #expect(own.backend.origin == nil)
        let flags = try options("--instance", "room1", "--socket", "/x/passd.sock", "--config", "/x.conf")
        #expect(flags.files == .beside("/x.conf"))
        #expect(workspace.load(with: flags).configuration.daemon.socket == "/x/passd.sock")
        try workspace.write("etc/passd/passd.conf", "[storage]\ndirectory = /data\n")
        #expect(workspace.load(with: room).configuration.storage.directory == "/data")
    }

    @Test func `relative paths start at the working directory`() throws {
        let options = try options("--socket", "run/passd.sock", "--state-dir=.", "--config", "box.conf")
        #expect(options.overrides.map(\.text) == ["/home/tv/run/passd.sock", "/home/tv/."])
        #expect(options.files == .beside("/home/tv/box.conf"))
    }

    @Test func `a check takes the same flags`() throws {
        guard case .checkConfiguration(let options) = try read("--check-config", "--config", "/x.conf") else {
            Issue.record("not a check")
            return
        }
        #expect(options.configFile == "/x.conf")
    }

    @Test(arguments: [["--help"], ["-h"], ["--confg", "--help"], ["--backend", "--help"]])
    func `help is printed even if other words are wrong, and lists every flag`(words: [String]) throws {
        guard case .answer(let text) = try Invocation(words, workingDirectory: "/") else {
            Issue.record("no answer")
            return
        }
        for option in ProgramSyntax.passd.options { #expect(text.contains(option.usage)) }
    }

    @Test func `the version is one line`() throws {
        #expect(try read("--version") == .answer("\(ProgramSyntax.passd.versionLine)\n"))
    }

    @Test(arguments: [
        (["--confg", "x"], "Unknown option --confg. Did you mean --config?"),
        (["--quux"], "Unknown option --quux. passd --help lists the options."),
        (["-c", "x"], "Unknown option -c. passd --help lists the options."),
        (["start"], "Unexpected argument \"start\". Usage: passd [OPTION…]."),
        ([""], "Unexpected argument \"\". Usage: passd [OPTION…]."),
        (["--config"], "--config needs a value. Write --config FILE."),
        (["--config="], "--config needs a value. Write --config FILE."),
        (
            ["--config", "--version"],
            "--config needs a value. Write --config FILE; --config=FILE if the value begins with a dash."
        ),
        (["--state-dir", ""], "--state-dir needs a value. Write --state-dir DIR."),
        (["--allow-same-user=yes"], "--allow-same-user takes no value. Usage: passd [OPTION…]."),
        (["--protocol", "v1", "--protocol=v2"], "--protocol is given twice. Usage: passd [OPTION…]."),
        (["--strict"], "--strict needs --check-config. Usage: passd [OPTION…]."),
        (["--protocol", "v3"], "--protocol v3 is not one of v2, v1. Did you mean v2?"),
        (
            ["--log-level", "warn"],
            "--log-level warn is not one of error, warning, notice, info, debug. Did you mean warning?"
        ),
        (
            ["--backend", "http://api.example"],
            "--backend http://api.example: http:// is for this machine only (localhost, 127.0.0.0/8, [::1]); use https://"
        ),
        (
            ["--instance", "../x"],
            "--instance ../x: expected 1 to 20 small letters, digits and hyphens that do not begin with a hyphen, but not metrics or web"
        ),
        (
            ["--socket", "/x/admin.sock"],
            "--socket /x/admin.sock: expected an absolute path of at most 107 bytes that does not end in /admin.sock"
        ),
    ])
    func `a mistake is reported with the correct form`(words: [String], message: String) throws {
        let fault = try #require(throws: PassArguments.Mistake.self) { try Invocation(words, workingDirectory: "/") }
        #expect(fault.description == message)
    }

    @Test func `the words are those that the program was started with`() {
        #expect(!ProgramArguments.all.isEmpty && ProgramArguments.all == CommandLine.arguments)
    }
}
