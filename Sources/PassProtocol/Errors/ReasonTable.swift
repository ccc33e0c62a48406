// The meanings of a refusal's codes in plain words, with remedies. `passd.decisions` and `passd-cli why` show them. The texts
// are in CTexts/reasons.txt, and are for operators. The service's own message is for developers of apps. The provider's text is
// for viewers. Contract: rest-v2.md §6.2, §6.3; access-enabler.md §13.3, §14.2.

import CTexts

public typealias RefusalReason = (meaning: String, remedy: String)

public enum ReasonTable {
    /// The reason of a code; nil if the code is unknown.
    public static func reason(of code: String) -> RefusalReason? {
        table[code] ?? table[v2Name(code)]
            ?? (code.hasPrefix("invalid_configuration_")
                ? ("The service is not configured for this.", "Tell the programmer of the app.") : nil)
    }

    /// All codes that have a row, for the manual.
    public static let codes = table.keys.sorted()

    /// The REST V2 name of a code. Ported apps know some codes by other names.
    private static func v2Name(_ code: String) -> String {
        let (old, new) = ("authentication_session_", "authenticated_profile_")
        return code.hasPrefix(old) ? new + code.dropFirst(old.count) : code
    }

    private static let table: [String: RefusalReason] = Dictionary(
        uniqueKeysWithValues: TextTable.entries(pass_reasons()).map {
            ($0.name, (meaning: $0.meaning, remedy: $0.remedy))
        })
}

/// A table of texts, with three lines for each entry.
enum TextTable {
    static func entries(_ text: UnsafePointer<CChar>) -> [(name: String, meaning: String, remedy: String)] {
        let lines = String(cString: text).split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
        return stride(from: 0, to: lines.count, by: 3).map { (lines[$0], lines[$0 + 1], lines[$0 + 2]) }
    }
}
