// A second look at text that goes to others: none of its sources contains a secret, but whatever looks like one is taken
// out all the same.

import PassJSON
import PassProtocol

enum Redaction {
    private static let mark = "(left out)"

    /// The text without JSON web tokens, private keys in PEM, credentials of headers and values that are called secret.
    static func clean(_ text: String) -> String {
        var isKey = false
        var lines: [String] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.place(of: "-----BEGIN") != nil { isKey = true }
            if isKey {
                if line.place(of: "-----END") != nil {
                    isKey = false
                    lines.append(mark)
                }
                continue
            }
            lines.append(words(of: String(line).withoutAddressSecrets(mark)))
        }
        return lines.joined(separator: "\n")
    }

    private static func words(of line: String) -> String {
        var result = ""
        var word = ""
        var last = ""
        var hidesNext = false
        func end() {
            guard !word.isEmpty else { return }
            let isSecret = hidesNext || isToken(word)
            result += isSecret ? mark : word
            let name = word.lowercased()
            hidesNext = secretsFollow.contains(name) || name == "basic" && last.hasSuffix("authorization")
            last = name
            word = ""
        }
        for character in line {
            if character.isLetter || character.isNumber || "._-+/~".contains(character) {
                word.append(character)
            } else {
                end()
                result.append(character)
            }
        }
        end()
        return result
    }

    /// After these words comes a secret.
    private static let secretsFollow: Set = [
        "bearer", "client_secret", "access_token", "refresh_token", "id_token", "password",
    ]

    /// Three or five parts of Base64url, of which the first is a JSON object: signed or encrypted. An encrypted one may have an
    /// empty part.
    private static func isToken(_ word: String) -> Bool {
        let parts = word.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 3 else { return false }
        // The header may begin with white space after its brace, but is then still longer than a word.
        return word.hasPrefix("eyJ") || (word.hasPrefix("ey") || word.hasPrefix("ew")) && parts[0].count >= 16
    }
}
