// Reads the parts of a URL that the service needs: scheme, host and port. Also decodes percent escapes.

import FoundationEssentials

package struct URLText: Equatable, Sendable {
    let text: String
    package let scheme: String
    /// The host in lower case; empty if the URL has none, as in `lumentv:signin`.
    let host: String
    package let port: Int?

    /// Reads a URL. Nil for a text that a browser and a box might interpret differently. Such texts have blanks, control
    /// characters, backslashes, a user name, or no scheme.
    package init?(_ text: String) {
        guard (1...2048).contains(text.utf8.count), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x5C }),
            let url = URL(string: text), let scheme = url.scheme?.lowercased(), url.user == nil, url.password == nil
        else { return nil }
        if ["http", "https"].contains(scheme) {
            // With an escaped `#` or `/` in the host, a client and this service might read different hosts.
            guard let host = url.host, !host.isEmpty,
                host.utf8.allSatisfy({ isIdentifierByte($0) || "[:]".utf8.contains($0) })
            else { return nil }
        }
        if ["javascript", "data", "file", "about", "blob", "vbscript"].contains(scheme) { return nil }
        self.text = text
        self.scheme = scheme
        host = url.host?.lowercased() ?? ""
        port = url.port
    }

    package var isWeb: Bool { scheme == "http" || scheme == "https" }

    /// The URL's origin, as in a browser; only the scheme if it is neither http nor https.
    package var origin: String {
        guard isWeb else { return scheme + ":" }
        return "\(scheme)://\(hostInBrackets)" + (port.map { ":\($0)" } ?? "")
    }

    /// The host as in a URL: an IPv6 address has brackets.
    package var hostInBrackets: String { host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host }

    /// Whether the host is the domain or a name below the domain.
    func isOn(domain: String) -> Bool {
        isWeb && (host == domain.lowercased() || host.hasSuffix("." + domain.lowercased()))
    }

    func appending(query name: String, _ value: String) -> String {
        var parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        parts[0] += (parts[0].contains("?") ? "&" : "?") + name + "=" + percentEncoded(value)
        return parts.joined(separator: "#")
    }
}

/// A host name, alone or in a web address. Names are compared by whole labels. Contract: rest-v2.md S1; rest-v1.md §6.4.
struct HostName: Equatable, Sendable {
    /// The name in lower case.
    let text: String

    init?(_ given: String) {
        let host = given.contains("/") ? URLText(given).flatMap { $0.isWeb ? $0.host : nil } : given.lowercased()
        guard let host, (1...253).contains(host.utf8.count),
            host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy({ label in
                !label.isEmpty
                    && label.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D }
            })
        else { return nil }
        text = host
    }

    /// Whether the name is the domain or a name below the domain.
    func isOn(domain: String) -> Bool { text == domain || text.hasSuffix("." + domain) }
}

package func percentEncoded(_ text: String) -> String {
    var out = ""
    for byte in text.utf8 {
        let character = Character(Unicode.Scalar(byte))
        if byte < 0x80, character.isLetter || character.isNumber || "-._~".contains(character) {
            out.append(character)
        } else {
            out += "%" + hexadecimal([byte]).uppercased()
        }
    }
    return out
}

/// Decodes percent escapes; nil if an escape is broken or the result is not UTF-8. Plus signs are kept.
func percentDecoded(_ text: String) -> String? {
    var out: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "%") else {
            out.append(byte)
            continue
        }
        guard rest.count >= 2, let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
            return nil
        }
        out.append(code)
        rest = rest.dropFirst(2)
    }
    return String(validating: out, as: UTF8.self)
}
