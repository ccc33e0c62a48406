// Reads the datagrams at the socket of a service manager, without the code that sends them.

import Glibc
import PassTestTools

struct Datagram {
    var content: [UInt8]
    var descriptors: [Int32]

    var text: String { String(decoding: content, as: UTF8.self) }

    func close() { for descriptor in descriptors { _ = Glibc.close(descriptor) } }

    /// The next received datagram; nil if there is none. With `waits` it waits up to a minute.
    static func next(_ socket: Int32, waits: Bool = false) -> Datagram? {
        var arrived = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        guard poll(&arrived, 1, waits ? 60_000 : 0) == 1 else { return nil }
        var content = [UInt8](repeating: 0, count: 4 << 20)
        // Room for two headers with descriptors, aligned for the kernel.
        var control = [UInt64](repeating: 0, count: 16)
        let (count, controlCount) = content.withUnsafeMutableBytes { bytes in
            control.withUnsafeMutableBytes { control in
                var part = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
                return withUnsafeMutablePointer(to: &part) { part in
                    var message = msghdr()
                    (message.msg_iov, message.msg_iovlen) = (part, 1)
                    (message.msg_control, message.msg_controllen) = (control.baseAddress, control.count)
                    let count = recvmsg(socket, &message, Int32(MSG_CMSG_CLOEXEC))
                    return (count, Int(message.msg_controllen))
                }
            }
        }
        guard count >= 0 else { return nil }
        return Datagram(content: Array(content.prefix(count)), descriptors: descriptors(control, controlCount))
    }

    /// One header, `struct cmsghdr`: length, level and kind, then the descriptors.
    private static func descriptors(_ control: [UInt64], _ count: Int) -> [Int32] {
        control.withUnsafeBytes { bytes in
            let header = MemoryLayout<cmsghdr>.size
            guard count >= header, let length = bytes.baseAddress?.load(as: cmsghdr.self).cmsg_len else { return [] }
            return stride(from: header, to: Int(length), by: 4).map { bytes.load(fromByteOffset: $0, as: Int32.self) }
        }
    }
}

/// A socket with a name in the kernel's abstract namespace.
func abstractSocket(_ name: String) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard unixAddress("\0" + name, { address, _ in bind(descriptor, address, socklen_t(3 + name.utf8.count)) }) == 0
    else { throw TestFailure("@\(name): \(String(cString: strerror(errno)))") }
    return descriptor
}

/// The content of a passed file, from its beginning.
func wholeContent(_ descriptor: Int32) -> [UInt8] {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { return [] }
    var content = [UInt8](repeating: 0, count: Int(facts.st_size))
    let count = pread(descriptor, &content, content.count, 0)
    return Array(content.prefix(max(0, count)))
}
