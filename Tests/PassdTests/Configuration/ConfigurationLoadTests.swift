// Tests the configuration files, their order and masking, and the handling of mistakes. operations.md §2.

import AccessEnabler
import Glibc
import PassBackend
import PassProtocol
import PassSystem
import PassTestKit
import PassVault
import PassWire
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

@Suite struct ConfigurationLoadTests {
    @Test func `the name of each file is reported before the file system is accessed`() throws {
        let (told, asked) = (Recorder<String>(), Recorder<String>())
        let workspace = Workspace()
        workspace.resources.willAsk = { told.append($0) }
        workspace.resources.fileFault = { path, _ in
            asked.append(path)
            #expect(told.elements.last == path)
            return nil
        }
        workspace.resources.readStatement = { source in
            #expect(told.elements.last == "/app.jwt")
            asked.append("\(source)")
            return .success(Array(Workspace.statement.utf8))
        }
        try workspace.write("etc/passd/passd.conf.d/a.conf", "[device]\nidentity = file:/identity\n")
        try workspace.write(
            "etc/passd/apps.d/b.conf",
            "[app b]\nrequestors = B\nallow = user:kodi\nsoftware-statement = file:/app.jwt\n")
        _ = try workspace.load(
            "[backend]\ncertificate-authorities = /authorities\n[sign-on]\nservice-token = file:/token\n")
        #expect(asked.elements == ["/authorities", "/var/lib/passd", "/identity", "/token", "file:/app.jwt"])
        let own = ["passd.conf", "passd.conf.d", "passd.conf.d/a.conf", "apps.d", "apps.d/b.conf"]
        #expect(own.allSatisfy { told.elements.contains(workspace.file("etc/passd/" + $0)) })
    }

    @Test func `without any file the defaults apply`() throws {
        let loaded = Workspace().load()
        #expect(loaded.isGood && loaded.problems.isEmpty && loaded.apps.isEmpty)
        let configuration = loaded.configuration
        #expect(configuration == .defaults)
        #expect(configuration.backend.origin == nil)
        #expect(configuration.backend.version == .v2)
        #expect(configuration.backend.http.connectTimeout == .seconds(5))
        #expect(configuration.backend.http.requestTimeout == .seconds(15))
        #expect(configuration.backend.budget.requestsPerSecond == 1)
        #expect(configuration.backend.budget.burst == 10)
        #expect(configuration.backend.site.activationURL == nil)
        #expect(configuration.device.identity == .machineID)
        #expect(configuration.device.facts.hardwareType == "SetTopBox")
        #expect(configuration.storage.sealing == .credential)
        #expect(configuration.storage.directory == "/var/lib/passd")
        #expect(configuration.storage.integrityCheck == .none)
        let limits = configuration.limits
        #expect(limits.sessionsPerUser == 64)
        #expect(limits.connection.messageSize == 1 << 20 && limits.connection.pendingCalls == 64)
        #expect(configuration.signOn.platformIdentity == .deviceKey)
        #expect(configuration.signOn.serviceToken == .none)
        #expect(configuration.signOn.partner == .none)
        #expect(!configuration.engine.isPassive && configuration.engine.remembersProvider)
        #expect(configuration.daemon.socket == "/run/passd/passd.sock")
        #expect(configuration.daemon.adminSocket == "/run/passd/admin.sock")
    }

    private static let order = [
        "usr/lib/passd/passd.conf.d/50.conf", "etc/passd/passd.conf", "run/passd/passd.conf.d/40.conf",
        "etc/passd/passd.conf.d/30.conf", "etc/passd/passd.conf.d/31.conf",
    ]

    @Test(arguments: order.indices)
    func `for every key the later file overrides`(last: Int) throws {
        let workspace = Workspace()
        for (index, path) in Self.order[...last].enumerated() {
            try workspace.write(path, "[backend]\nburst = \(index + 1)\n")
        }
        let loaded = workspace.load()
        #expect(loaded.problems.isEmpty)
        #expect(loaded.configuration.backend.budget.burst == last + 1)
        #expect(
            loaded.values[Setting.Name("backend", "burst")]?.origin
                == .file(FilePosition(workspace.file(Self.order[last]), 2)))
    }

    @Test func `a file masks the same name in an earlier directory, as a whole`() throws {
        let workspace = Workspace()
        try workspace.write("usr/lib/passd/passd.conf.d/a.conf", "[backend]\nburst = 2\nprotocol = v1\nnonsense\n")
        try workspace.write("etc/passd/passd.conf.d/a.conf", "[backend]\nburst = 3\n")
        let loaded = workspace.load()
        #expect(loaded.problems.isEmpty)
        #expect(loaded.configuration.backend.budget.burst == 3)
        #expect(loaded.configuration.backend.version == .v2)
    }

    @Test func `a link to the null device masks without a replacement`() throws {
        let workspace = Workspace()
        try workspace.write("usr/lib/passd/passd.conf.d/a.conf", "[backend]\nburst = 2\n")
        try workspace.link("etc/passd/passd.conf.d/a.conf", to: "/dev/null")
        let loaded = workspace.load()
        #expect(loaded.values == Workspace().load().values && loaded.problems.isEmpty)
    }

    @Test func `other files of a directory are not read`() throws {
        let workspace = Workspace()
        for name in ["README", "a.conf.bak", ".a.conf", "a.conf~"] {
            try workspace.write("etc/passd/passd.conf.d/" + name, "nonsense")
        }
        #expect(workspace.load().problems.isEmpty)
    }

    @Test(arguments: [("passd.conf.d", Problem.Severity.ignored), ("apps.d", .unclear)])
    func `a file with an invalid name is not read, and is reported`(
        directory: String, severity: Problem.Severity
    ) throws {
        let workspace = Workspace()
        try workspace.makeDirectory("etc/passd/" + directory)
        let path = workspace.file("etc/passd/" + directory)
        let file = open(
            Array(path.utf8CString.dropLast())
                + Array("/b\u{FF}.conf".unicodeScalars.map { CChar(truncatingIfNeeded: $0.value) }) + [0],
            O_WRONLY | O_CREAT, 0o644)
        #expect(file >= 0 && close(file) == 0)
        let loaded = workspace.load()
        #expect(loaded.problems.map(\.severity) == [severity])
        #expect(
            workspace.problems(loaded)
                == ["/etc/passd/\(directory):1: a file whose name is not UTF-8 is ignored"])
    }

    @Test func `a file from the command line replaces all files except those beside it`() throws {
        let workspace = Workspace()
        try workspace.write("etc/passd/passd.conf", "nonsense")
        try workspace.write("my/box.conf", "[backend]\nburst = 2\nprotocol = v1\n")
        try workspace.write("my/box.conf.d/a.conf", "[backend]\nburst = 3\n")
        try workspace.write("my/apps.d/a.conf", "[app a]\nrequestors = A\nallow = user:kodi\n")
        let loaded = LoadedConfiguration.load(
            .beside(workspace.file("my/box.conf")), resources: workspace.resources)
        #expect(loaded.problems.isEmpty)
        #expect(loaded.configuration.backend.budget.burst == 3)
        #expect(loaded.configuration.backend.version == .v1)
        #expect(loaded.apps.map(\.name) == ["a"])
        #expect(ConfigurationFiles.beside("box.conf").apps == [.directory("apps.d")])
    }

    @Test func `an instance has its own files, and the files of packages`() throws {
        let instance = try #require(InstanceName("room1"))
        let workspace = Workspace()
        let files = ConfigurationFiles.system(instance: instance, root: workspace.root)
        #expect(
            !LoadedConfiguration.load(files, resources: workspace.resources).isUsable, "the instance has no passd.conf")
        try workspace.write("etc/passd/passd.conf", "nonsense")
        try workspace.write("etc/passd/apps.d/a.conf", "nonsense")
        try workspace.write("usr/lib/passd/passd.conf.d/a.conf", "[device]\nmodel = Tower\n[backend]\nburst = 2\n")
        try workspace.write("usr/lib/passd/apps.d/a.conf", "[app a]\nrequestors = A\nallow = user:kodi\n")
        try workspace.write(
            "etc/passd@room1/passd.conf", "[device]\nidentity = machine-id+file:/etc/passd@room1/identity\n")
        try workspace.write("etc/passd@room1/passd.conf.d/a.conf", "[backend]\nburst = 3\n")
        try workspace.write("etc/passd@room1/apps.d/b.conf", "[app b]\nrequestors = B\nallow = group:video\n")
        let loaded = LoadedConfiguration.load(files, resources: workspace.resources)
        #expect(loaded.problems.isEmpty)
        #expect(loaded.configuration.backend.budget.burst == 3, "a.conf of the instance masks a.conf of the packages")
        #expect(loaded.configuration.device.facts.model == "Linux")
        #expect(loaded.configuration.device.identity == .machineIDAndFile("/etc/passd@room1/identity"))
        #expect(loaded.apps.map(\.name) == ["a", "b"])
    }

    @Test func `a file from the command line must exist`() throws {
        let workspace = Workspace()
        let loaded = LoadedConfiguration.load(.beside(workspace.file("x.conf")), resources: workspace.resources)
        #expect(!loaded.isUsable)
        #expect(workspace.problems(loaded) == ["/x.conf:1: cannot be read: No such file or directory"])
    }

    @Test func `flags override all files`() throws {
        let workspace = Workspace()
        let name = Setting.Name("backend", "burst")
        workspace.overrides = [SettingOverride(name: name, text: "7", flag: "--burst")]
        let loaded = try workspace.load("[backend]\nburst = 2\n")
        #expect(loaded.configuration.backend.budget.burst == 7)
        #expect(loaded.values[name]?.origin == .flag("--burst"))
    }

    @Test(arguments: ["", "[backend]\norigin = none\n", "[backend]\norigin =\n"])
    func `without a setting no service is chosen, with any other settings`(_ text: String) throws {
        let others = "[backend]\nprotocol = v1\nregcode-origin = https://codes.example\n"
        for text in [text, others + text, "[backend]\nservice-providers = https://other.example\n" + text] {
            let loaded = try Workspace().load(text)
            #expect(loaded.isGood && loaded.configuration.backend.origin == nil)
            #expect(!loaded.problems.contains { $0.severity > .warning })
        }
        #expect(try Workspace().load("[backend]\norigin = nowhere\n").isUsable == false)
    }

    @Test func `an empty value restores the default`() throws {
        let workspace = Workspace()
        try workspace.write("usr/lib/passd/passd.conf.d/a.conf", "[backend]\nburst = 2\n")
        #expect(try workspace.load("[backend]\nburst =\n").configuration.backend.budget.burst == 10)
    }

    @Test func `all problems of all files are reported, each with its place`() throws {
        let workspace = Workspace()
        try workspace.write("etc/passd/passd.conf", "[backend]\nburst = many\norgin = https://a.example\n[limit]\n")
        try workspace.write("etc/passd/passd.conf.d/a.conf", "[storage]\nsealing = tape\nburst = 3\n[app x]\n")
        let loaded = workspace.load()
        #expect(
            workspace.problems(loaded) == [
                "/etc/passd/passd.conf:2: burst = many: expected a number from 1 to 1000",
                "/etc/passd/passd.conf:3: unknown key \"orgin\" in [backend]; did you mean origin?",
                "/etc/passd/passd.conf:4: unknown section [limit]; did you mean [limits]?",
                "/etc/passd/passd.conf.d/a.conf:2: sealing = tape: expected credential | none",
                "/etc/passd/passd.conf.d/a.conf:3: unknown key \"burst\" in [storage]; did you mean burst of [backend]?",
                "/etc/passd/passd.conf.d/a.conf:4: [app x] belongs in a file in apps.d",
            ])
        #expect(!loaded.isUsable)
    }

    @Test(arguments: [
        ("v1", "off", "https://a.example/done", true), ("v1", "on", "https://a.example/done", false),
        ("v1", "off", "none", false), ("v2", "off", "https://a.example/done", false),
    ])
    func `rest-v1.md §6.13: a browser's logout without a page is reported`(
        version: String, exposed: String, address: String, isTold: Bool
    ) throws {
        let workspace = Workspace()
        try workspace.write(
            "etc/passd/passd.conf",
            """
            [backend]
            protocol = \(version)
            redirect-url = \(address)
            [device]
            expose-identity = \(exposed)
            """)
        let problems = workspace.problems(workspace.load()).filter { $0.contains("expose-identity") }
        #expect(problems.count == (isTold ? 1 : 0))
        #expect(problems.allSatisfy { $0.hasPrefix("/etc/passd/passd.conf:2: ") })
    }

    @Test(arguments: [
        ("log", "log-level of [daemon]"), ("logging", "log-level of [daemon]"), ("Journal", "log-level of [daemon]"),
        ("burst", "burst of [backend]"), ("backnd", "[backend]"),
    ])
    func `for an unknown section, the message names the probable setting or section`(
        section: String, meant: String
    ) throws {
        let workspace = Workspace()
        try workspace.write("etc/passd/passd.conf", "[\(section)]\nlevel = debug\n")
        let problems = workspace.problems(workspace.load())
        #expect(
            problems.first == "/etc/passd/passd.conf:1: unknown section [\(section)]; did you mean \(meant)?",
            "\(problems)")
    }

    @Test func `an unknown key is reported but does not prevent a start`() throws {
        let loaded = try Workspace().load("[backend]\norgin = https://a.example\n")
        #expect(loaded.isUsable && !loaded.isGood)
    }

    @Test func `a key that occurs twice in one file is a warning`() throws {
        let loaded = try Workspace().load("[backend]\nburst = 2\nburst = 3\n")
        #expect(loaded.isGood && loaded.configuration.backend.budget.burst == 3)
        #expect(loaded.problems.map(\.message) == ["[backend] burst occurs twice in this file; the last one counts"])
    }

    @Test func `a connect timeout longer than the request timeout is a warning`() throws {
        let loaded = try Workspace().load("[backend]\nconnect-timeout = 30s\n")
        #expect(loaded.problems.map(\.severity) == [.warning])
        #expect(loaded.problems.first?.place.line == 2)
    }
}
