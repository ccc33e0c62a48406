// Types of values for paths and addresses.

import PassBackend

enum Paths {
    static func isAbsolute(_ path: String, limit: Int = 4095) -> Bool {
        path.hasPrefix("/") && (2...limit).contains(path.utf8.count) && !path.utf8.contains(0)
    }

    /// The path in `KIND:PATH`. Nil if the path is not absolute.
    static func path(_ text: String, after kind: String) -> String? {
        guard text.hasPrefix(kind + ":") else { return nil }
        let path = String(text.dropFirst(kind.count + 1))
        return isAbsolute(path) ? path : nil
    }
}

extension ValueType where Value == Origin {
    static var origin: ValueType {
        ValueType("https://HOST[:PORT], or http:// for this machine only") { text throws(ValueFault) in
            do throws(HTTPFault) { return try Origin(text) } catch {
                guard case .insecure = error else {
                    throw ValueFault("expected https://HOST[:PORT] without a path, or http:// for this machine only")
                }
                throw ValueFault("http:// is for this machine only (localhost, 127.0.0.0/8, [::1]); use https://")
            }
        }
    }
}

extension ValueType where Value == String {
    /// A page that a viewer's phone opens. Plain HTTP is allowed, because the page may be on the home network.
    static var webPage: ValueType {
        ValueType("an https:// or http:// URL without user and password") { text in
            let authority = text.utf8.drop { $0 != 0x3A }.dropFirst(3).prefix { !"/?#\\".utf8.contains($0) }
            return isAddress(text, ["https", "http"]) && !authority.contains(UInt8(ascii: "@")) ? text : nil
        }
    }

    /// The address to which a browser returns. An app may use its own scheme.
    static var address: ValueType {
        ValueType("a URL that begins with SCHEME://") { isAddress($0, nil) ? $0 : nil }
    }

    static var proxy: ValueType {
        ValueType("http://HOST:PORT") { isProxy($0) ? $0 : nil }
    }

    private static func isProxy(_ text: String) -> Bool {
        guard text.hasPrefix("http://") else { return false }
        do throws(HTTPFault) { _ = try Origin(text) } catch {
            // A proxy on another machine may use plain HTTP, because the traffic through the proxy is encrypted up to the
            // service.
            guard case .insecure = error else { return false }
        }
        return true
    }

    static var domainName: ValueType {
        ValueType("a domain name") { text in
            let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            let isName = labels.allSatisfy { label in
                (1...63).contains(label.count) && label.first != 0x2D && label.last != 0x2D
                    && label.allSatisfy { $0 == 0x2D || Paths.isLetterOrDigit($0) }
            }
            return isName && text.utf8.count <= 253 ? text : nil
        }
    }

    private static func isAddress(_ text: String, _ schemes: [String]?) -> Bool {
        guard text.utf8.count <= 2048, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://"), text[colon...].utf8.count > 3
        else { return false }
        let scheme = text[..<colon].lowercased()
        if let schemes { return schemes.contains(scheme) }
        return scheme.utf8.first.map(Paths.isLetter) == true
            && scheme.utf8.allSatisfy { Paths.isLetterOrDigit($0) || [0x2B, 0x2D, 0x2E].contains($0) }
    }
}

extension Paths {
    static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }

    static func isLetterOrDigit(_ byte: UInt8) -> Bool { isLetter(byte) || (0x30...0x39).contains(byte) }
}
