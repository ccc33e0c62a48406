// The form of an app's software statement: three parts in Base64url, perhaps with line breaks from a file. Only the
// service can check its signature. Contract: dcr.md §2.

package import AccessEnabler

package enum StatementForm {
    /// Returns the statement without white space. This form is sent, and its digest identifies the registration.
    package static func normal(_ statement: Secret) -> Secret {
        Secret(String(statement.reveal().unicodeScalars.filter { !$0.properties.isWhitespace }.map(Character.init)))
    }

    package static func isWellFormed(_ statement: Secret) -> Bool {
        let parts = statement.reveal().split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 3
            && parts.allSatisfy { part in
                !part.isEmpty && part.utf8.allSatisfy { isUnreserved($0) && $0 != 0x2E && $0 != 0x7E }
            }
    }
}
