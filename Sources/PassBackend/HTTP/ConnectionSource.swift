// The box's own end of a connection to the service. Do not log it: its address reveals the box's place in the home network.
// Contract: rest-v2.md §3.4.

import Glibc

struct ConnectionSource: Equatable, Sendable {
    var address: String
    var port: Int
    var isWireless: Bool
}

extension ConnectionSource {
    /// Finds the interface with the address. An unknown interface counts as wired.
    init(address: String, port: Int) {
        let isWireless = NetworkInterface.named(by: address).map { interface in
            ["wireless", "phy80211"].contains { access("/sys/class/net/\(interface)/\($0)", F_OK) == 0 }
        }
        self.init(address: address, port: port, isWireless: isWireless ?? false)
    }
}

/// The network interfaces. `getifaddrs` is not used, because it needs the kernel's route socket (netlink), which the systemd
/// unit forbids.
enum NetworkInterface {
    private static let maxInterfaces = 256
    private static let listRequest: UInt = 0x8912  // SIOCGIFCONF
    /// The size of `ifreq`: a name of 16 bytes, then a union of a socket address and other data.
    private static let entrySize = MemoryLayout<ifreq>.size

    static func named(by address: String) -> String? {
        let bytes = [UInt8](address.prefix { $0 != "%" }.utf8)
        guard !bytes.contains(0) else { return nil }
        return bytes.contains(UInt8(ascii: ":")) ? version6(bytes) : version4(bytes)
    }

    private static func version4(_ address: [UInt8]) -> String? {
        var wanted = in_addr()
        guard inet_pton(AF_INET, String(decoding: address, as: UTF8.self), &wanted) == 1 else { return nil }
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var entries = [UInt8](repeating: 0, count: entrySize * maxInterfaces)
        let length = entries.withUnsafeMutableBytes { buffer in
            var list = ifconf()
            list.ifc_len = Int32(buffer.count)
            list.ifc_ifcu.ifcu_buf = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            return ioctl(descriptor, listRequest, &list) == 0 ? Int(list.ifc_len) : 0
        }
        for start in stride(from: 0, to: min(length, entries.count), by: entrySize) {
            let found = entries.withUnsafeBytes { buffer in
                buffer.loadUnaligned(fromByteOffset: start + Int(IFNAMSIZ), as: sockaddr_in.self)
            }
            guard found.sin_family == sa_family_t(AF_INET), found.sin_addr.s_addr == wanted.s_addr else { continue }
            // A labelled address, as in "wlan0:1", belongs to the interface before the colon.
            let name = entries[start..<start + Int(IFNAMSIZ)].prefix { $0 != 0 && $0 != UInt8(ascii: ":") }
            return String(decoding: name, as: UTF8.self)
        }
        return nil
    }

    /// Reads `if_inet6` below /proc/self/net, because the systemd unit hides /proc/net. Each line begins with the address in 32
    /// hexadecimal digits, and ends with the name.
    private static func version6(_ address: [UInt8]) -> String? {
        var wanted = in6_addr()
        guard inet_pton(AF_INET6, String(decoding: address, as: UTF8.self), &wanted) == 1 else { return nil }
        let hexadecimal = Array("0123456789abcdef".utf8)
        let digits = withUnsafeBytes(of: &wanted) { bytes in
            bytes.flatMap { [hexadecimal[Int($0 >> 4)], hexadecimal[Int($0 & 15)]] }
        }
        guard let file = fopen("/proc/self/net/if_inet6", "re") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        for _ in 0..<maxInterfaces where fgets(&line, Int32(line.count), file) != nil {
            let text = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            guard text.starts(with: digits) else { continue }
            return text.split { $0 == 0x20 || $0 == 0x0A }.last.map { String(decoding: $0, as: UTF8.self) }
        }
        return nil
    }
}
