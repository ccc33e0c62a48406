// A Unix socket that sends datagrams to one address, for which nobody has to listen yet or any more.

import CDatagram
import Glibc

final class DatagramSocket: Sendable {
    struct Fault: Error, Equatable { let reason: Int32 }

    /// A datagram must fit into it. What systemd's own library asks for; only the superuser gets so much.
    private static let bufferSize: Int32 = 8 << 20

    private let descriptor: Int32
    private let address: sockaddr_un
    private let addressLength: socklen_t

    /// The address is a path or, with `@` in front, a name that the kernel keeps. Nil if it is neither or too long, or
    /// if no more descriptors can be had.
    init?(to text: String) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var name = Array(text.utf8)
        guard name.count > 1, name.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        switch name[0] {
        case UInt8(ascii: "/"): name.append(0)
        case UInt8(ascii: "@"): name[0] = 0
        default: return nil
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        self.address = address
        addressLength = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        var size = Self.bufferSize
        for option in [SO_SNDBUF, SO_SNDBUFFORCE] {
            setsockopt(descriptor, SOL_SOCKET, option, &size, socklen_t(MemoryLayout<Int32>.size))
        }
    }

    deinit { close(descriptor) }

    /// Waits while the receiver has too much to read.
    func send(_ content: [UInt8], with descriptors: [Int32] = []) throws(Fault) {
        let reason = withUnsafePointer(to: address) {
            pass_send_datagram(
                descriptor, content, content.count, $0, Int(addressLength), descriptors, descriptors.count)
        }
        guard reason == 0 else { throw Fault(reason: reason) }
    }
}
