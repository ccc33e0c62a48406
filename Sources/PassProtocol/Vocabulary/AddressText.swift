// Takes names and passwords out of addresses that are shown.

import PassJSON

extension String {
    /// With `mark` in place of what stands between `://` and the `@` of each address. A password may have `?` and `#`.
    public func withoutPasswords(_ mark: String) -> String {
        var result = ""
        var rest = self[...]
        while let start = rest.place(of: "://") {
            result += rest[..<start.upperBound]
            rest = rest[start.upperBound...]
            let authority = rest.prefix { !$0.isWhitespace && $0 != "\"" && $0 != "/" }
            if let end = authority.lastIndex(of: "@") {
                result += mark
                rest = rest[end...]
            }
        }
        return result + rest
    }
}
