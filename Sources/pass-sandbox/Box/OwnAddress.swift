// An address at which other machines may reach this one.

import CMicroHTTPD
import Glibc

enum OwnAddress {
    /// The URL of a service at the first address of a network that is up; a made-up one if there is none.
    static var example: String { "http://\(first ?? "192.168.1.5"):8642" }

    private static var first: String? {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0, let list else { return nil }
        defer { freeifaddrs(list) }
        for entry in sequence(first: list, next: { $0.pointee.ifa_next }) {
            let flags = entry.pointee.ifa_flags
            guard let address = entry.pointee.ifa_addr, address.pointee.sa_family == AF_INET,
                flags & UInt32(IFF_UP) != 0, flags & UInt32(IFF_LOOPBACK) == 0
            else { continue }
            var buffer = [CChar](repeating: 0, count: Int(INET_ADDRSTRLEN))
            inet_ntop(AF_INET, UnsafeRawPointer(address) + 4, &buffer, socklen_t(buffer.count))
            return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
        return nil
    }
}
