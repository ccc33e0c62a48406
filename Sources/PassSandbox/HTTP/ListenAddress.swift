// The address where the server listens, such as `127.0.0.1:8642`, `[::1]:8642`, `0.0.0.0:0` or `8642`. Host names are not
// accepted.

import CMicroHTTPD
import Glibc

public struct ListenAddress: Equatable, Sendable, CustomStringConvertible {
    public let host: String
    public let port: UInt16

    public static let standard = ListenAddress(host: "127.0.0.1", port: 8642)

    init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    public init?(_ text: String) {
        let colon = text.lastIndex(of: ":")
        var host = colon.map { String(text[..<$0]) } ?? "127.0.0.1"
        let port = colon.map { String(text[text.index(after: $0)...]) } ?? text
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
            guard host.contains(":") else { return nil }
        } else if host.contains(":") {
            return nil
        }
        guard !port.isEmpty, port.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(port) else {
            return nil
        }
        self.init(host: host, port: number)
        guard numeric != nil else { return nil }
    }

    var isIPv6: Bool { host.contains(":") }

    public var isLoopback: Bool { host == "::1" || host.hasPrefix("127.") }

    /// Whether the server listens on all addresses of this machine.
    public var isAny: Bool { ["0.0.0.0", "::"].contains(host) }

    public var description: String { (isIPv6 ? "[\(host)]" : host) + ":\(port)" }

    private var numeric: [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 16)
        return inet_pton(isIPv6 ? AF_INET6 : AF_INET, host, &bytes) == 1 ? bytes : nil
    }

    /// The address in the kernel's form.
    var storage: sockaddr_storage {
        var storage = sockaddr_storage()
        let bytes = numeric ?? [UInt8](repeating: 0, count: 16)
        withUnsafeMutableBytes(of: &storage) { raw in
            if isIPv6 {
                raw.storeBytes(of: sa_family_t(AF_INET6), as: sa_family_t.self)
                raw.storeBytes(of: port.bigEndian, toByteOffset: 2, as: UInt16.self)
                raw[8..<24].copyBytes(from: bytes)
            } else {
                raw.storeBytes(of: sa_family_t(AF_INET), as: sa_family_t.self)
                raw.storeBytes(of: port.bigEndian, toByteOffset: 2, as: UInt16.self)
                raw[4..<8].copyBytes(from: bytes[..<4])
            }
        }
        return storage
    }

    func explain(errno reason: Int32, tls: Bool) -> String {
        switch reason {
        case EADDRINUSE: "\(self) is in use: another program listens there; choose another with --listen"
        case EACCES: "\(self) cannot be used: ports below 1024 are reserved for root"
        case EADDRNOTAVAIL: "\(self) is not an address of this machine"
        case 0 where tls: "the certificate and key cannot be used for TLS"
        default: "cannot listen on \(self): \(String(cString: strerror(reason)))"
        }
    }

    /// The address of a peer as text. The service compares addresses in this form.
    static func text(of address: UnsafePointer<sockaddr>?) -> String {
        guard let address else { return "" }
        var buffer = [CChar](repeating: 0, count: 64)
        let raw = UnsafeRawPointer(address)
        switch Int32(address.pointee.sa_family) {
        case AF_INET: inet_ntop(AF_INET, raw + 4, &buffer, 64)
        case AF_INET6: inet_ntop(AF_INET6, raw + 8, &buffer, 64)
        default: return ""
        }
        let text = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text.hasPrefix("::ffff:") && text.contains(".") ? String(text.dropFirst(7)) : text
    }
}
