// The box's own end of a connection to the service. It says where in the home a request comes from, so it belongs into
// no log. Contract: rest-v2.md §3.4.

import Glibc

struct ConnectionSource: Equatable, Sendable {
    var address: String
    var port: Int
    var isWireless: Bool

    init(address: String, port: Int, isWireless: Bool) {
        self.address = address
        self.port = port
        self.isWireless = isWireless
    }

    /// Finds the interface that has the address. An unknown one counts as wired.
    init(address: String, port: Int) {
        self.init(
            address: address, port: port,
            isWireless: Self.interface(of: address).map { access("/sys/class/net/\($0)/wireless", F_OK) == 0 } ?? false)
    }

    private static func interface(of address: String) -> String? {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return nil }
        defer { freeifaddrs(first) }
        var next = first
        while let entry = next?.pointee {
            if let socketAddress = entry.ifa_addr, text(socketAddress) == address {
                return String(cString: entry.ifa_name)
            }
            next = entry.ifa_next
        }
        return nil
    }

    private static func text(_ address: UnsafeMutablePointer<sockaddr>) -> String? {
        let size: Int
        switch Int32(address.pointee.sa_family) {
        case AF_INET: size = MemoryLayout<sockaddr_in>.size
        case AF_INET6: size = MemoryLayout<sockaddr_in6>.size
        default: return nil
        }
        var name = [UInt8](repeating: 0, count: Int(NI_MAXHOST))
        let code = name.withUnsafeMutableBytes { bytes in
            getnameinfo(
                address, socklen_t(size), bytes.bindMemory(to: CChar.self).baseAddress, socklen_t(bytes.count), nil, 0,
                NI_NUMERICHOST)
        }
        guard code == 0 else { return nil }
        // A link-local address ends with its interface.
        return String(decoding: name.prefix { $0 != 0 && $0 != UInt8(ascii: "%") }, as: UTF8.self)
    }
}
