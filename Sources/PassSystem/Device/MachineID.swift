// Values that are derived from the id of the machine for one program alone. The id itself is confidential, machine-id(5)
// says, and leaves this file no other way. The same value comes from sd_id128_get_machine_app_specific(3), whose method
// and reasons of failure are stable.

import CCrypto
import Glibc
import PassJSON

enum MachineID {
    struct Fault: Error, Equatable { let reason: Int32 }

    /// A random UUID of version 4, to all appearances. `application` is 16 random bytes that stand for the program.
    static func derived(for application: [UInt8], path: String = "/etc/machine-id") throws(Fault) -> String {
        let id = try read(path)
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        guard HMAC(EVP_sha256(), id, Int32(id.count), application, application.count, &digest, nil) != nil else {
            throw Fault(reason: EIO)
        }
        digest[6] = digest[6] & 0x0F | 0x40
        digest[8] = digest[8] & 0x3F | 0x80
        return digest.prefix(16).hexadecimal
    }

    private static func read(_ path: String) throws(Fault) -> [UInt8] {
        var content: [UInt8]
        do { content = try readAll(path: path, limit: 4096) } catch {
            if case .failed(let reason) = error { throw Fault(reason: reason) }
            throw Fault(reason: EINVAL)
        }
        guard !content.isEmpty else { throw Fault(reason: ENOMEDIUM) }
        if content.last == UInt8(ascii: "\n") { content.removeLast() }
        // The first start of a new machine, before it has an id.
        if content == Array("uninitialized".utf8) { throw Fault(reason: ENOPKG) }
        let digits = content.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard content.count == 32, digits.count == 32 else { throw Fault(reason: EINVAL) }
        let id = stride(from: 0, to: 32, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        guard id.contains(where: { $0 != 0 }) else { throw Fault(reason: ENOMEDIUM) }
        return id
    }
}
