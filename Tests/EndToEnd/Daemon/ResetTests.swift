// Tests a reset for the next owner: no value of the former owner is left, the box is a new device for the service, and
// nothing that the box still has opens a copy of the disk from before.

import FoundationEssentials
import Glibc
import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools
import Testing

@testable import PassSandbox

@Suite("installing.md: reset a box for its next owner") struct ResetTests {
    @Test(arguments: Interface.allCases, [false, true])
    func `after a reset nothing of the former viewer is left, here or at the service`(
        interface: Interface, hasFactoryKey: Bool
    ) throws {
        let factory = TemporaryDirectory()
        factory.write(Array(repeating: 1, count: 32), to: "passd.sealing-key")
        let box = try RunningBox(
            interface: interface, environment: hasFactoryKey ? ["CREDENTIALS_DIRECTORY": factory.path] : [:])
        let state = box.scratch.file("state")
        try logIn(box)
        // A damaged store is set aside, with everything that it has.
        try box.stop().requireSuccess()
        let store = URL(filePath: state + "/passd.db")
        var bytes = Array(try Data(contentsOf: store))
        bytes[68] ^= 0x10
        try Data(bytes).write(to: store)
        try box.start()
        let app = try box.app("LUMENTV")
        #expect(try app.call("checkAuthentication")["authenticated"] == true)
        _ = try box.app("SUMMITTV").call("getAuthentication")
        #expect(try app.call("getAuthorization", ["resource": "lumen-sports-1"])["authorized"] == true)
        try box.kill()
        let before = box.scratch.file("before")
        try FileManager.default.copyItem(atPath: state, toPath: before)
        #expect(try names(before).contains { $0.hasPrefix("passd.db.damaged-") })
        let devices = try devices(box)
        let requests = try requests(box).count
        let canaries = ["NorthCable", "LUMENTV", "lumen-tv", box.sandbox.origin]
        for canary in canaries { #expect(try !files(before, with: canary).isEmpty, "\(canary) can be found") }

        // The power is cut after the first step. That alone ends everything.
        if hasFactoryKey {
            unlink(state + "/salt")
            try box.start()
            #expect(try box.app("LUMENTV").call("checkAuthentication")["authenticated"] == false)
            #expect(box.daemon.errors.contains("vault-salt-missing"))
            try box.kill()
        }
        // Under these names, the contents of the disk stay visible after the files are deleted.
        let disk = try links(state, in: box.scratch.file("disk"))
        let secrets = ["salt", "passd.key"].compactMap { try? Data(contentsOf: URL(filePath: state + "/" + $0)) }
        for _ in 0..<2 { try reset(state).requireSuccess() }
        #expect(try names(state) == ["imported", "imported/forgotten"])
        for trace in canaries.map({ Data($0.utf8) }) + secrets {
            #expect(try files(disk, with: trace) == [], "\(trace)")
        }

        try box.start()
        #expect(try names(state).contains("salt"))
        for canary in canaries.dropLast() { #expect(try files(state, with: canary) == [], "\(canary)") }
        for requestor in ["LUMENTV", "LUMENKIDS", "NEWS24", "SUMMITTV"] {
            #expect(try box.app(requestor).call("checkAuthentication")["authenticated"] == false, "\(requestor)")
        }
        let seen = try self.devices(box, after: requests)
        #expect(!seen.isEmpty && seen.isDisjoint(with: devices), "the service sees only new devices")
        #expect(!box.daemon.errors.contains("vault-"))

        // The raw store of before, with everything that the box has now.
        try box.stop().requireSuccess()
        for name in try names(state) where name.hasPrefix("passd.db") { unlink(state + "/" + name) }
        for name in try names(before) where name.hasPrefix("passd.db") {
            try FileManager.default.copyItem(atPath: before + "/" + name, toPath: state + "/" + name)
        }
        try box.start()
        #expect(box.daemon.errors.contains("vault-key-changed"))
        #expect(try box.cli(["export", box.scratch.file("backup")]).output.contains(": 0 logins, 0 apps"))
        #expect(try box.app("LUMENTV").call("checkAuthentication")["authenticated"] == false)
        // The next owner logs in as usual.
        try logIn(box)
    }

    @Test func `only a state directory is emptied`() throws {
        let folder = TemporaryDirectory()
        folder.write("mine", to: "letter")
        let ending = try reset(folder.path)
        #expect(ending.status == 69 && ending.errors.contains("is not a state directory of passd"))
        #expect(folder.names == ["letter"])
    }

    @Test func `without a terminal, a reset needs --yes`() throws {
        let folder = TemporaryDirectory()
        folder.write("mine", to: "salt")
        let ending = try reset(folder.path, yes: false)
        #expect(ending.status == 64 && ending.errors.contains("without a terminal, reset needs --yes"))
        #expect(folder.read("salt") == Array("mine".utf8))
    }

    @Test func `the store of a running daemon is not emptied`() throws {
        let box = try RunningBox()
        try logIn(box)
        let state = box.scratch.file("state")
        let ending = try reset(state)
        #expect(ending.status == 69 && ending.errors.contains("passd or another reset uses \(state); stop it first"))
        #expect(try box.app("LUMENTV").call("checkAuthentication")["authenticated"] == true)
        #expect(try reset(state, "--journal").status == 64)
        try box.kill()
        try reset(state).requireSuccess()
    }

    @Test func `nothing is written or deleted through a link in the directory, which may itself be a link`() throws {
        let folder = TemporaryDirectory()
        let other = TemporaryDirectory()
        for name in ["salt", "forgotten", "key", "lock"] { other.write("mine", to: name) }
        try FileManager.default.createDirectory(atPath: folder.file("real"), withIntermediateDirectories: true)
        folder.link("real/imported", to: other.path)
        folder.link("real/salt", to: other.file("salt"))
        folder.link("real/passd.key", to: other.file("key"))
        folder.link("real/passd.lock", to: other.file("lock"))
        folder.link("real/passd.db", to: other.path)
        folder.link("state", to: folder.file("real"))
        try reset(folder.file("state")).requireSuccess()
        #expect(try names(folder.file("real")) == ["imported", "imported/forgotten"])
        #expect(folder.mode(of: "real/imported") == 0o700)
        #expect(other.names == ["forgotten", "key", "lock", "salt"])
        for name in other.names { #expect(other.read(name) == Array("mine".utf8), "\(name)") }
    }

    @Test func `a reset that was interrupted before any of its steps can be repeated`() throws {
        let old = TemporaryDirectory()
        let identity = old.write("box-1\n", to: "identity")
        let fingerprint = hexadecimal(sha256("passd device box-1".utf8))
        old.write(ImportTests.token(fingerprint), to: "shared.xml")
        let box = try RunningBox(
            "[device]\nidentity = file:\(identity)\n[storage]\nimport-from = \(old.path)")
        let older = try box.app("LUMENTV")
        #expect(try older.call("checkAuthentication")["authenticated"] == false)
        #expect(try older.call("getSelectedProvider")["provider"]?["id"]?.string == "NorthCable")
        try logIn(box)
        try box.kill()
        let state = box.scratch.file("state")
        let before = box.scratch.file("before")
        try FileManager.default.copyItem(atPath: state, toPath: before)

        // Each of these programs counts a step, and ends the script in place of one step.
        let steps = TemporaryDirectory()
        for name in ["sync", "find", "rm", "mkdir", "chown"] {
            steps.write(
                """
                #!/bin/sh
                echo >> \(steps.path)/count
                [ "$(grep -c '' \(steps.path)/count)" -ne "$CUT" ] || { kill -KILL "$PPID" && exit; }
                PATH=${PATH#*:} exec \(name) "$@"

                """, to: name)
            steps.setMode(of: name, to: 0o755)
        }
        let path = "\(steps.path):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"
        var cut = 0
        var isComplete = false
        while !isComplete {
            cut += 1
            try #require(cut < 50)
            try FileManager.default.removeItem(atPath: state)
            try FileManager.default.copyItem(atPath: before, toPath: state)
            steps.write("", to: "count")
            isComplete = try reset(state, environment: ["PATH": path, "CUT": "\(cut)"]).status == 0
            if !isComplete {
                // The box starts after the power cut.
                try box.start()
                try box.kill()
                try reset(state).requireSuccess()
            }
            #expect(try names(state) == ["imported", "imported/forgotten"], "step \(cut)")
            try box.start()
            let app = try box.app("LUMENTV")
            #expect(try app.call("checkAuthentication")["authenticated"] == false, "step \(cut)")
            #expect(try app.call("getSelectedProvider")["provider"]?["id"]?.string == nil, "step \(cut)")
            try box.kill()
        }
        #expect(cut > 10)
    }

    @Test func `forget warns, and a logout of all is told to the service`() throws {
        let box = try RunningBox()
        try logIn(box)
        let forgotten = try box.cli(["forget", "--all"])
        #expect(
            forgotten.errors.contains(
                "The service may give this login back; use logout or passd-setup reset."))
        #expect(try box.app("LUMENTV").call("checkAuthentication")["authenticated"] == true)
        #expect(try box.cli(["logout", "--all"]) == .init(status: 0, output: "Ended 1 login.\n", errors: ""))
        #expect(try box.app("LUMENTV").call("checkAuthentication")["authenticated"] == false)
        try logIn(box)
        try box.sandbox.crash()
        let untold = try box.cli(["logout", "--all"])
        #expect(untold.status == 0 && untold.output == "Ended 1 login.\n")
        #expect(untold.errors.contains("The service has not accepted the logout of LUMENTV at NorthCable."))
    }

    private func reset(
        _ state: String, _ options: String..., yes: Bool = true, environment: [String: String] = [:]
    ) throws -> ChildProcess.Ending {
        try ChildProcess.run(
            ["systemd/passd-setup", "reset", "--directory=" + state] + options + (yes ? ["--yes"] : []),
            folder: repository, environment: environment)
    }

    private func logIn(_ box: RunningBox) throws {
        let app = try box.app("LUMENTV")
        try box.logIn(try app.openLogin())
        try app.hearLogin()
    }

    private func names(_ folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
    }

    private func files(_ folder: String, with canary: String) throws -> [String] {
        try files(folder, with: Data(canary.utf8))
    }

    private func files(_ folder: String, with bytes: Data) throws -> [String] {
        try names(folder).filter { name in
            (try? Data(contentsOf: URL(filePath: folder + "/" + name)))?.firstRange(of: bytes) != nil
        }
    }

    /// Links the files of a folder into a new folder. Their names there are their numbers in the list of names.
    private func links(_ folder: String, in other: String) throws -> String {
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
        for (number, name) in try names(folder).enumerated() { link(folder + "/" + name, other + "/\(number)") }
        return other
    }

    private func requests(_ box: RunningBox) throws -> [JSONValue] {
        try box.sandbox.request("GET", "/sandbox/journal").json["requests"]?.array ?? []
    }

    /// The devices that the service has seen after so many requests.
    private func devices(_ box: RunningBox, after count: Int = 0) throws -> Set<String> {
        Set(
            try requests(box).dropFirst(count).flatMap { request in
                let fields = (request["query"]?.object?.members ?? []) + (request["headers"]?.object?.members ?? [])
                return fields.filter { ["deviceid", "ap-device-identifier"].contains($0.name.lowercased()) }
                    .compactMap(\.value.string)
            })
    }
}
