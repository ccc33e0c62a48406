// Tests the files that are read at the start: credentials and the identity of the box.

import Glibc
import PassTestTools
import Testing

@testable import PassSystem

@Suite("operations.md §2: credentials and the device's identity") struct FileTests {
    @Test func `a credential is a file of the directory, byte for byte`() throws {
        let folder = TemporaryDirectory()
        folder.write([0, 255, 10, 13], to: "sealing-key")
        #expect(try Credentials(directory: folder.path).contents(of: "sealing-key") == [0, 255, 10, 13])
    }

    @Test func `any other file is refused`() throws {
        let folder = TemporaryDirectory()
        let credentials = Credentials(directory: folder.path)
        let secret = folder.write([1], to: "real")
        symlink(secret, folder.path + "/link")
        mkfifo(folder.path + "/pipe", 0o600)
        mkdir(folder.path + "/folder", 0o700)
        folder.write([UInt8](repeating: 7, count: 101), to: "large")
        for name in ["link", "pipe", "folder"] {
            #expect(throws: Credentials.Fault.notAFile, "\(name)") { try credentials.contents(of: name) }
        }
        for name in [
            "", ".", "..", "../real", "/etc/passwd", "a/b", "a b", "a\0", "a:b", String(repeating: "a", count: 256),
        ] {
            #expect(throws: Credentials.Fault.badName, "\(name)") { try credentials.contents(of: name) }
        }
        #expect(throws: Credentials.Fault.missing) { try credentials.contents(of: "none") }
        #expect(throws: Credentials.Fault.tooLarge(limit: 100)) { try credentials.contents(of: "large", limit: 100) }
        #expect(try credentials.contents(of: "large", limit: 101).count == 101)
    }

    @Test(arguments: [nil, "", "/does/not/exist"]) func `without a directory every credential is missing`(path: String?)
    {
        #expect(throws: Credentials.Fault.missing) { try Credentials(directory: path).contents(of: "a") }
    }

    @Test("the identity of the machine is stable, and not equal to the machine id (rest-v2.md §3.3)") func machine()
        throws
    {
        guard let machine = try? readAll(path: "/etc/machine-id", limit: 100) else {
            #expect(throws: DeviceIdentitySource.Fault.self) { try DeviceIdentitySource.machineID.read() }
            return
        }
        let identity = try DeviceIdentitySource.machineID.read()
        #expect(identity.count == 32 && identity.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) })
        #expect(try DeviceIdentitySource.machineID.read() == identity)
        #expect(!String(decoding: machine, as: UTF8.self).contains(identity))
    }

    @Test(
        arguments: [
            ("SN-0042\n", "SN-0042"), ("SN-0042", "SN-0042"),
            (String(repeating: "x", count: 256), String(repeating: "x", count: 256)),
            ("", nil), ("\n", nil), ("a\nb\n", nil), ("a b", nil), ("ä", nil), ("a\0", nil),
            (String(repeating: "x", count: 257), nil),
            (String(repeating: "x", count: 5000), nil),
        ] as [(String, String?)]) func `an identity in a file is one printable line`(
            content: String, expected: String?
        ) throws
    {
        let folder = TemporaryDirectory()
        let source = DeviceIdentitySource.file(folder.write(Array(content.utf8), to: "identity"))
        if let expected {
            #expect(try source.read() == expected)
        } else {
            #expect(throws: DeviceIdentitySource.Fault.malformed) { try source.read() }
        }
    }

    @Test func `the machine and a file together give another identity than either of them`() throws {
        let folder = TemporaryDirectory()
        let file = folder.write(Array("SN-0042\n".utf8), to: "identity")
        let both = DeviceIdentitySource.machineIDAndFile(file)
        guard let machine = try? DeviceIdentitySource.machineID.read() else {
            #expect(throws: DeviceIdentitySource.Fault.self) { try both.read() }
            return
        }
        #expect(try both.read() == "\(machine) SN-0042")
        #expect(throws: DeviceIdentitySource.Fault.unreadable(reason: ENOENT)) {
            try DeviceIdentitySource.machineIDAndFile("/does/not/exist").read()
        }
    }

    @Test func `a missing or invalid identity file is reported as such`() throws {
        #expect(throws: DeviceIdentitySource.Fault.unreadable(reason: ENOENT)) {
            try DeviceIdentitySource.file("/does/not/exist").read()
        }
        let pipe = TemporaryDirectory()
        #expect(mkfifo(pipe.path + "/identity", 0o600) == 0)
        for path in [pipe.path + "/identity", "/dev/zero", "/"] {
            #expect(throws: DeviceIdentitySource.Fault.notAFile, "\(path)") {
                try DeviceIdentitySource.file(path).read()
            }
        }
    }
}
