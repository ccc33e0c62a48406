// The origin of a web app: scheme, host and port, in the spelling of browsers. Browsers leave out the default port of the
// scheme. Origins are compared byte by byte, so another spelling would never match. docs/decisions/0021.

import PassJSON

public struct WebOrigin: Hashable, Sendable, CustomStringConvertible {
    public let description: String

    public struct Fault: Error, Equatable, CustomStringConvertible {
        public let description: String

        fileprivate init(_ description: String) { self.description = description }
    }

    /// Enough for every origin, because a host name has at most 253 bytes.
    private static let maxBytes = 300

    public init(_ text: String) throws(Fault) {
        if text == "null" { throw Fault("null is sent by pages without an origin, so any page could match it") }
        guard text.utf8.count <= Self.maxBytes, let scheme = text.place(of: "://") else {
            throw Fault("expected http:// or https:// and a host, such as https://news24.example")
        }
        let name = text[..<scheme.lowerBound]
        guard name == "https" || name == "http" else {
            throw Fault("expected https:// or http://, since only these have origins that tell apps apart")
        }
        let authority = text[scheme.upperBound...].utf8
        guard !authority.contains(where: { "/?#".utf8.contains($0) }) else {
            throw Fault("expected nothing after the host and its port: no path, and no / at the end")
        }
        let (host, port) = Self.parts(of: authority)
        guard Self.isHost(host) else {
            throw Fault("expected a host in lower case, as browsers write it: international names as xn--…")
        }
        if let port {
            guard let number = UInt16(String(port)), number > 0, "\(number)" == String(port) else {
                throw Fault("expected a port from 1 to 65535")
            }
            guard number != (name == "https" ? 443 : 80) else {
                throw Fault("expected no :\(number), since browsers leave out the scheme's own port")
            }
        }
        description = text
    }

    private static func parts(of authority: Substring.UTF8View) -> (host: Substring, port: Substring?) {
        let text = Substring(authority)
        let bracket = authority.lastIndex(of: UInt8(ascii: "]"))
        guard let colon = authority.lastIndex(of: UInt8(ascii: ":")), bracket.map({ $0 < colon }) ?? true else {
            return (text, nil)
        }
        return (text[..<colon], text[text.utf8.index(after: colon)...])
    }

    private static func isHost(_ host: Substring) -> Bool {
        let bytes = Array(host.utf8)
        if bytes.first == UInt8(ascii: "["), bytes.last == UInt8(ascii: "]") {
            let address = bytes[1..<bytes.count - 1]
            return address.contains(UInt8(ascii: ":"))
                && address.allSatisfy { "0123456789abcdef:.".utf8.contains($0) }
        }
        let labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return bytes.count <= 253
            && labels.allSatisfy { label in
                !label.isEmpty && label.count <= 63
                    && label.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-_".utf8.contains($0) }
            }
    }
}
