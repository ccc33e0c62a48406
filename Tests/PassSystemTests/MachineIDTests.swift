// Tests the id that is derived from the machine's.

import Glibc
import PassTestTools
import Testing

@testable import PassSystem

@Suite("rest-v2.md §3.3: the id of the machine") struct MachineIDTests {
    private static let application: [UInt8] = [
        0xDD, 0xDC, 0xA2, 0x9A, 0xB2, 0x14, 0x43, 0xBA, 0x9B, 0x5A, 0x6D, 0xA4, 0x50, 0xD5, 0xA3, 0x78,
    ]

    /// The expected value was computed with Python's `hmac`, and by systemd 252.
    @Test(arguments: [
        "0123456789abcdef0123456789abcdef\n", "0123456789abcdef0123456789abcdef", "0123456789ABCDEF0123456789ABCDEF\n",
    ]) func `it is derived as systemd derives it`(content: String) throws {
        let folder = TemporaryDirectory()
        let derived = try MachineID.derived(for: Self.application, path: folder.write(content, to: "machine-id"))
        #expect(derived == "0741ba602a4a4c21858f413b0814de85")
    }

    @Test(.enabled(if: access("/usr/bin/systemd-id128", X_OK) == 0 && (try? MachineID.derived(for: [])) != nil))
    func `it is what systemd's own tool says of this machine`() throws {
        let application = Self.application.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        let tool = try ChildProcess.run(["systemd-id128", "machine-id", "--app-specific=" + application])
        let derived = try DeviceIdentitySource.machineID.read()
        #expect(tool.status == 0 && tool.output == derived + "\n")
    }

    /// The reasons are those of sd_id128_get_machine(3).
    @Test(
        arguments: [
            (nil, ENOENT), ("", ENOMEDIUM), ("00000000000000000000000000000000\n", ENOMEDIUM),
            ("uninitialized", ENOPKG), ("uninitialized\n", ENOPKG), ("\n", EINVAL), ("x\n", EINVAL),
            ("0123456789abcdef0123456789abcdeg\n", EINVAL), ("0123456789abcdef0123456789abcdef\n\n", EINVAL),
            ("0123456789abcdef0123456789abcde\n", EINVAL), ("0123456789abcdef0123456789abcdef0\n", EINVAL),
            ("01234567-89ab-cdef-0123-456789abcdef\n", EINVAL), ("größegrößegrößegrößegrößegr\n", EINVAL),
            (String(repeating: "0", count: 5000), EINVAL),
        ] as [(String?, Int32)])
    func `a machine without an id has none, and the reason is told`(content: String?, reason: Int32) {
        let folder = TemporaryDirectory()
        if let content { folder.write(content, to: "machine-id") }
        #expect(throws: MachineID.Fault(reason: reason)) {
            try MachineID.derived(for: Self.application, path: folder.file("machine-id"))
        }
    }

    @Test func `a folder or a pipe in its place is none`() {
        let folder = TemporaryDirectory()
        mkfifo(folder.file("pipe"), 0o600)
        for path in [folder.path, folder.file("pipe")] {
            #expect(throws: MachineID.Fault(reason: EINVAL)) {
                try MachineID.derived(for: Self.application, path: path)
            }
        }
    }
}
