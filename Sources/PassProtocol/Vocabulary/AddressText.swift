// Removes possible secrets from addresses that are shown: all but the scheme, the host and the port. A path may hold a
// token too.

import PassJSON

extension String {
    /// With `mark` in place of what is between `://` and the `@` of each address, and of what follows its first `/`, `?` or
    /// `#`. A password may have `?` and `#`. White space ends an address, and so does a quotation mark if `isQuoted`.
    public func withoutAddressSecrets(_ mark: String, isQuoted: Bool = true) -> String {
        // Bytes: a mark that combines with a `?` must not hide it.
        func isInside(_ byte: UInt8) -> Bool {
            byte > 0x20 && byte != 0x7F && !(isQuoted && byte == UInt8(ascii: "\""))
        }
        var result = ""
        var rest = self[...]
        while let start = rest.place(of: "://") {
            result += rest[..<start.upperBound]
            rest = rest[start.upperBound...]
            let authority = rest.utf8.prefix { isInside($0) && $0 != UInt8(ascii: "/") }
            if let end = authority.lastIndex(of: UInt8(ascii: "@")) {
                result += mark
                rest = rest[end...]
            }
            let address = rest.utf8.prefix(while: isInside)
            guard let cut = address.firstIndex(where: "/?#".utf8.contains) else { continue }
            let secret = address.index(after: cut)
            // A lone slash hides nothing.
            if secret == address.endIndex, address[cut] == UInt8(ascii: "/") { continue }
            result += rest[..<secret]
            rest = rest[secret...]
            if rest.utf8.starts(with: mark.utf8) { continue }
            result += mark
            rest = rest[address.endIndex...]
        }
        return result + rest
    }
}
