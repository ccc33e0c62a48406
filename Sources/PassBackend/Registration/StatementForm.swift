// The statement an app brings along: three parts of Base64url, whatever line breaks a file put between them. Its
// signature is the service's to check. Contract: dcr.md §2.

import AccessEnabler

enum StatementForm {
    /// Without white space: what goes over the wire, and what the registration is known by.
    static func normal(_ statement: Secret) -> Secret {
        Secret(String(statement.reveal().unicodeScalars.filter { !$0.properties.isWhitespace }.map(Character.init)))
    }

    static func isWellFormed(_ statement: Secret) -> Bool {
        let parts = statement.reveal().split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 3
            && parts.allSatisfy { part in
                !part.isEmpty && part.utf8.allSatisfy { isUnreserved($0) && $0 != 0x2E && $0 != 0x7E || $0 == 0x3D }
            }
    }
}
