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
        for _ in 0..<2 { try reset(state).requireSuccess() }
        #expect(try names(state) == ["imported", "imported/forgotten"])

        try box.start()
        #expect(try names(state).contains("salt"))
        for canary in canaries.dropLast() { #expect(try files(state, with: canary) == [], "\(canary)") }
        for requestor in ["LUMENTV", "LUMENKIDS", "NEWS24", "SUMMITTV"] {
            #expect(try box.app(requestor).call("checkAuthentication")["authenticated"] == false, "\(requestor)")
        }
        #expect(try !self.devices(box).subtracting(devices).isEmpty, "the service sees a new device")
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

    @Test func `forget warns, and a logout of all is told to the service`() throws {
        let box = try RunningBox()
        try logIn(box)
        let forgotten = try box.cli(["forget", "--all"])
        #expect(
            forgotten.errors.contains(
                "The service may give removed logins back. Instead, use logout or passd-setup reset."))
        #expect(try box.app("LUMENTV").call("checkAuthentication")["authenticated"] == true)
        #expect(try box.cli(["logout", "--all"]) == .init(status: 0, output: "Ended 1 login.\n", errors: ""))
        #expect(try box.app("LUMENTV").call("checkAuthentication")["authenticated"] == false)
        try logIn(box)
        try box.sandbox.crash()
        let untold = try box.cli(["logout", "--all"])
        #expect(untold.status == 0 && untold.output == "Ended 1 login.\n")
        #expect(untold.errors.contains("The service has not accepted the logout of LUMENTV at NorthCable."))
    }

    private func reset(_ state: String) throws -> ChildProcess.Ending {
        try ChildProcess.run(["systemd/passd-setup", "reset", "--directory=" + state], folder: repository)
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
        try names(folder).filter { name in
            (try? Data(contentsOf: URL(filePath: folder + "/" + name)))?.firstRange(of: Data(canary.utf8)) != nil
        }
    }

    /// The devices that the service has seen.
    private func devices(_ box: RunningBox) throws -> Set<String> {
        let requests = try box.sandbox.request("GET", "/sandbox/journal").json["requests"]?.array ?? []
        return Set(
            requests.flatMap { request in
                let fields = (request["query"]?.object?.members ?? []) + (request["headers"]?.object?.members ?? [])
                return fields.filter { ["deviceid", "ap-device-identifier"].contains($0.name.lowercased()) }
                    .compactMap(\.value.string)
            })
    }
}
