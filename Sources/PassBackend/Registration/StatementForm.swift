// The format of a software statement: three parts in Base64url, with any line breaks that a file has added. The service
// checks its signature. Contract: dcr.md §2.

import AccessEnabler

enum StatementForm {
    /// Removes white space. The result is sent, and identifies the registration.
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
