// Text for locales without UTF-8. The program's own text is written in ASCII. In names from the daemon, dashes and curved
// quotes become ASCII. On a terminal, all other characters that are not ASCII become question marks. In pipes and files, they
// stay unchanged.

import PassClient
import PassJSON
import PassProtocol

enum Charset {
    /// Whether text may have characters other than ASCII. The first variable that is set decides, as in locale(7).
    static func isUTF8(_ environment: [String: String]) -> Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
        let codeset = (locale.parted(at: ".")?.behind ?? "").prefix { $0 != "@" }
        return ["utf8", "utf-8"].contains(codeset.lowercased())
    }

    private static let spellings: [Character: String] = [
        "…": "...", "–": "-", "—": "-", "‑": "-", "−": "-", "‘": "'", "’": "'", "“": "\"", "”": "\"", "×": "x",
        "→": "->", "\u{A0}": " ",
    ]

    /// The text in ASCII. `isShown` is true if a person reads it, and false for a program.
    static func ascii(_ text: String, isShown: Bool) -> String {
        text.reduce(into: "") { plain, character in
            if character.utf8.allSatisfy({ $0 < 0x80 }) {
                plain.append(character)
            } else {
                plain += spellings[character] ?? (isShown ? "?" : String(character))
            }
        }
    }

    /// The JSON in ASCII, with escapes. Characters that are not ASCII occur only inside strings of the JSON.
    static func ascii(json: String) -> String {
        json.utf16.reduce(into: "") { plain, unit in
            if unit < 0x80 {
                plain.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
            } else {
                plain += "\\u" + String(0x10000 + UInt32(unit), radix: 16).dropFirst()
            }
        }
    }
}
