// The scheme, host and port of a service. The scheme is HTTPS. Plain HTTP is allowed only for this machine. Contract:
// operations.md §2 `origin`, rest-v2.md §1.3.

import Glibc

public struct Origin: Hashable, Sendable, CustomStringConvertible {
    public enum Scheme: String, Sendable {
        case http, https

        var standardPort: UInt16 { self == .http ? 80 : 443 }
    }

    public let scheme: Scheme
    /// The host in lower case. An IPv6 address has no brackets.
    public let host: String
    public let port: UInt16

    /// Accepts only `https://host[:port]`, and for this machine `http://host[:port]`: no user, path or query. International
    /// names must be in their ASCII form.
    public init(_ text: String) throws(HTTPFault) {
        let rest = try Self.scheme(of: text)
        let authority = rest.text.hasSuffix("/") ? rest.text.dropLast() : rest.text
        try self.init(rest.scheme, authority: authority)
    }

    init(_ scheme: Scheme, authority: Substring) throws(HTTPFault) {
        let bytes = Array(authority.utf8)
        var host = bytes[...]
        var port: ArraySlice<UInt8>?
        if bytes.first == UInt8(ascii: "[") {
            guard let end = bytes.firstIndex(of: UInt8(ascii: "]")) else { throw .badURL }
            host = bytes[1..<end]
            let tail = bytes[(end + 1)...]
            guard tail.isEmpty || tail.first == UInt8(ascii: ":"), Self.isIPv6(host) else { throw .badURL }
            port = tail.isEmpty ? nil : tail.dropFirst()
        } else {
            if let colon = bytes.firstIndex(of: UInt8(ascii: ":")) {
                host = bytes[..<colon]
                port = bytes[(colon + 1)...]
            }
            guard (1...253).contains(host.count), host.allSatisfy(Self.isNameByte) else { throw .badURL }
        }
        self.scheme = scheme
        self.host = String(decoding: host, as: UTF8.self).lowercased()
        if let port {
            let digits = String(decoding: port, as: UTF8.self)
            guard port.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(digits), number > 0 else {
                throw .badURL
            }
            self.port = number
        } else {
            self.port = scheme.standardPort
        }
        guard scheme == .https || isLoopback else { throw .insecure }
    }

    /// Whether the host needs a lookup. libcurl itself resolves `localhost`.
    var isName: Bool {
        var address = in6_addr()
        return host != "localhost" && !Self.isIPv6(Array(host.utf8)[...]) && inet_pton(AF_INET, host, &address) != 1
    }

    /// Whether the host is certainly this machine, by its text alone. `Transfer` also checks the connection.
    public var isLoopback: Bool {
        if host == "localhost" || host == "::1" { return true }
        var address = in_addr()
        return inet_pton(AF_INET, host, &address) == 1 && UInt32(bigEndian: address.s_addr) >> 24 == 127
    }

    public var description: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return "\(scheme.rawValue)://\(name)" + (port == scheme.standardPort ? "" : ":\(port)")
    }

    /// Returns the scheme of an absolute URL and the text after `://`.
    static func scheme(of text: String) throws(HTTPFault) -> (scheme: Scheme, text: Substring) {
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://"),
            let scheme = Scheme(rawValue: text[..<colon].lowercased())
        else { throw .badURL }
        return (scheme, text[colon...].dropFirst(3))
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        isUnreserved(byte) && byte != UInt8(ascii: "~")
    }

    private static func isIPv6(_ bytes: ArraySlice<UInt8>) -> Bool {
        var address = in6_addr()
        return inet_pton(AF_INET6, String(decoding: bytes, as: UTF8.self), &address) == 1
    }
}
