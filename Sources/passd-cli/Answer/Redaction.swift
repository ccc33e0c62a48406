// A second check of text that leaves the box: none of its sources contains a secret, but text that looks like one is
// removed all the same.

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
        func isPart(_ character: Character) -> Bool {
            character.isLetter || character.isNumber || "._-+/~".contains(character)
        }
        var (result, last, hidesNext, rest) = ("", "", false, line[...])
        while let first = rest.first {
            let part = rest.prefix { isPart($0) == isPart(first) }
            rest = rest[part.endIndex...]
            let (word, isWord) = (String(part), isPart(first))
            result += isWord && (hidesNext || isToken(word)) ? mark : word
            guard isWord else { continue }
            let name = word.lowercased()
            hidesNext = secretsFollow.contains(name) || name == "basic" && last.hasSuffix("authorization")
            last = name
        }
        return result
    }

    /// After these words comes a secret.
    private static let secretsFollow: Set = [
        "bearer", "client_secret", "access_token", "refresh_token", "id_token", "password",
    ]

    /// Three or five parts of Base64url, signed or encrypted. The first part is a JSON object. An encrypted one may have an
    /// empty part.
    private static func isToken(_ word: String) -> Bool {
        let parts = word.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 3 else { return false }
        // The header may begin with white space after its brace, but is then still longer than a word.
        return word.hasPrefix("eyJ") || (word.hasPrefix("ey") || word.hasPrefix("ew")) && parts[0].count >= 16
    }
}
