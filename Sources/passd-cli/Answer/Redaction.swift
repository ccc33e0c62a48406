// A second check of text that leaves the box. The daemon's reports and the journal should contain no secrets, but text that
// looks like a secret is removed anyway.

import PassJSON
import PassProtocol

enum Redaction {
    private static let mark = "(left out)"

    /// The text without secrets. Removes JSON web tokens, private keys in PEM, credentials in headers, and values with a
    /// secret's name.
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

    /// A word that follows one of these words is a secret.
    private static let secretsFollow: Set = [
        "bearer", "client_secret", "access_token", "refresh_token", "id_token", "password",
    ]

    /// Whether the word is a JSON web token. A signed token has three parts in Base64url. An encrypted token has five, and some
    /// of these may be empty. The first part is a JSON object.
    private static func isToken(_ word: String) -> Bool {
        let parts = word.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 3 else { return false }
        // The header begins with a brace. If white space follows the brace, the encoded header begins with `ey` or `ew`.
        // Ordinary words with such a beginning are shorter.
        return word.hasPrefix("eyJ") || (word.hasPrefix("ey") || word.hasPrefix("ew")) && parts[0].count >= 16
    }
}
