// Tests the device's identifier. Contract: access-enabler.md §10, rest-v2.md §3.3.

import AccessEnabler
import FoundationEssentials
import PassProtocol
import PassSystem
import PassTestKit
import PassTestTools
import Testing

@testable import PassConfiguration
@testable import PassPlatform
@testable import PassServer
@testable import passd

@Suite struct BoxIdentityTests {
    private let directory: TemporaryDirectory

    init() throws { directory = TemporaryDirectory() }

    private func identity(_ text: String) async throws -> DeviceID {
        let file = directory.file("identity")
        try Data(text.utf8).write(to: URL(filePath: file))
        return try await BoxIdentity(source: .file(file)).current()
    }

    @Test func `the identifier is a digest of the box's identity, and does not reveal the identity`() async throws {
        let device = try await identity("serial-1\n")
        #expect(device.rawValue == Digest.sha256("passd device serial-1"))
        #expect(device.rawValue.wholeMatch(of: /[0-9a-f]{64}/) != nil)
        #expect(try await identity("serial-1") == device)
        #expect(try await identity("serial-2") != device)
    }

    @Test(arguments: ["", "\n", "two words", "two\nlines\n", String(repeating: "x", count: 257)])
    func `a file without an identity is reported with the reason`(text: String) async {
        let fault = await #expect(throws: DeviceIdentityFault.self) { try await identity(text) }
        #expect(fault?.explanation == "the identity file is not one line of at most 256 printable characters")
    }

    @Test func `instances of one host are different devices with either source of identity`() async throws {
        let file = directory.file("identity")
        try Data("serial-1\n".utf8).write(to: URL(filePath: file))
        var devices: Set<DeviceID> = [try await identity("serial-1")]
        for name in ["room1", "room2", "1"] {
            let instance = try #require(InstanceName(name))
            let device = try await BoxIdentity(source: .file(file), instance: instance).current()
            #expect(device.rawValue == Digest.sha256("passd instance \(name) device serial-1"))
            #expect(devices.insert(device).inserted)
        }
    }

    @Test func `with another salt the box is another device`() async throws {
        let file = directory.file("identity")
        try Data("serial-1\n".utf8).write(to: URL(filePath: file))
        let device = try await BoxIdentity(source: .file(file), salt: [0x0a, 0xff]).current()
        #expect(device.rawValue == Digest.sha256("passd device serial-1 0aff"))
        #expect(try await BoxIdentity(source: .file(file), salt: [0x0b, 0xff]).current() != device)
    }

    @Test func `a missing file is reported with the reason`() async {
        let fault = await #expect(throws: DeviceIdentityFault.self) {
            try await BoxIdentity(source: .file(directory.file("none"))).current()
        }
        #expect(fault?.explanation == "the identity file cannot be read: No such file or directory")
    }
}
