// A second look at text that goes to others: none of its sources contains a secret, but whatever looks like one is taken
// out all the same.

enum Redaction {
    private static let mark = "(left out)"

    /// The text without JSON web tokens, private keys in PEM, bearer tokens and values that are called secret.
    static func clean(_ text: String) -> String {
        var isKey = false
        var lines: [String] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.contains("-----BEGIN") { isKey = true }
            if isKey {
                if line.contains("-----END") {
                    isKey = false
                    lines.append(mark)
                }
                continue
            }
            lines.append(words(of: withoutPasswords(line)))
        }
        return lines.joined(separator: "\n")
    }

    /// Without names and passwords in addresses: what is between `://` and `@`.
    private static func withoutPasswords(_ line: Substring) -> Substring {
        var result: Substring = ""
        var rest = line
        while let start = rest.firstRange(of: "://") {
            result += rest[..<start.upperBound]
            rest = rest[start.upperBound...]
            let authority = rest.prefix { !" \"/".contains($0) }
            if let end = authority.lastIndex(of: "@") {
                result += mark
                rest = rest[end...]
            }
        }
        return result + rest
    }

    private static func words(of line: Substring) -> String {
        var result = ""
        var word = ""
        var hidesNext = false
        func end() {
            guard !word.isEmpty else { return }
            let lowercased = word.lowercased()
            let isSecret = hidesNext || isToken(word)
            result += isSecret ? mark : word
            hidesNext = ["bearer", "client_secret", "access_token", "password"].contains(lowercased)
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

    /// Three parts of Base64url, of which the first is a JSON object.
    private static func isToken(_ word: String) -> Bool {
        word.hasPrefix("eyJ") && word.split(separator: ".", omittingEmptySubsequences: false).count >= 3
    }
}
