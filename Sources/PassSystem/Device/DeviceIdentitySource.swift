// The source of the box's identity. The identity is a value derived from the machine id, a file from the integrator, or both
// together. No other program derives the same value from the machine id. This type does not store the value; the caller stores
// it at the first use. Contract: rest-v2.md §3.3, operations.md §2 `[device] identity`.

import CSystemd
import Glibc
import PassJSON

public enum DeviceIdentitySource: Equatable, Sendable {
    case machineID
    case file(String)
    /// Both together. The identity changes if the machine or the file changes.
    case machineIDAndFile(String)

    public enum Fault: Error, Equatable, Sendable {
        /// The machine has no machine id, or none yet.
        case noMachineID(reason: Int32)
        case unreadable(reason: Int32)
        case notAFile
        /// The content is not a line of 1 to 256 printable ASCII characters.
        case malformed
    }

    /// A random number. If this number changed, every box would get a new identity.
    private static let application = sd_id128_t(
        bytes: (
            0xdd, 0xdc, 0xa2, 0x9a, 0xb2, 0x14, 0x43, 0xba, 0x9b, 0x5a, 0x6d, 0xa4, 0x50, 0xd5, 0xa3, 0x78
        ))

    public func read() throws(Fault) -> String {
        switch self {
        case .machineID:
            // The machine id itself is confidential (machine-id(5)), so only the derived value is used.
            var derived = sd_id128_t()
            let code = sd_id128_get_machine_app_specific(Self.application, &derived)
            guard code >= 0 else { throw .noMachineID(reason: -code) }
            return withUnsafeBytes(of: derived) { Array($0).hexadecimal }
        case .machineIDAndFile(let path): return try Self.machineID.read() + " " + Self.file(path).read()
        case .file(let path):
            let content: [UInt8]
            do { content = try readAll(path: path, limit: 4096) } catch {
                switch error {
                case .failed(let reason): throw .unreadable(reason: reason)
                case .notAFile: throw .notAFile
                case .tooLarge: throw .malformed
                }
            }
            let line = content.last == UInt8(ascii: "\n") ? content.dropLast() : content[...]
            guard (1...256).contains(line.count), line.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { throw .malformed }
            return String(decoding: line, as: UTF8.self)
        }
    }
}

extension DeviceIdentitySource.Fault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noMachineID(let reason):
            "the machine has no ID (\(String(cString: strerror(reason)))); run systemd-machine-id-setup or use "
                + "file:PATH"
        case .unreadable(let reason): "the identity file cannot be read: \(String(cString: strerror(reason)))"
        case .notAFile: "the identity file is a pipe, a device or a directory"
        case .malformed: "the identity file is not one line of at most 256 printable characters"
        }
    }
}
