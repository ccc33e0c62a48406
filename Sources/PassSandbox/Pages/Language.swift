// The viewer's language: the choice by the browser's header, and the sentences in Assets/texts.json. Pages for developers are in
// English.

import PassJSON

enum Language: String, CaseIterable, Sendable {
    case english = "en"
    case spanish = "es"
    case french = "fr"
    case german = "de"
    case portuguese = "pt"
    case italian = "it"

    /// A longer header counts as absent.
    static let longestHeader = 1000

    /// Chooses by `Accept-Language`: RFC 9110, section 12.5.4. Malformed items are ignored. The fallback is English.
    init(accepting header: String?) {
        var (best, bestQuality) = (Language.english, 0.0)
        if let header, header.utf8.count <= Self.longestHeader {
            for item in header.lowercased().parts(between: ",") {
                let (range, quality) = item.with("", for: " ").cut(at: ";q=")
                let name = range == "*" ? "en" : range.upTo("-")
                guard let language = Language(rawValue: name), !item.hasSuffix("="),
                    quality.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }),
                    let quality = quality.isEmpty ? 1 : Double(quality), quality <= 1, quality > bestQuality
                else { continue }
                (best, bestQuality) = (language, quality)
            }
        }
        self = best
    }

    /// The sentence with placeholders such as `{app}`. The count chooses between `one` and `other`.
    func sentence(_ key: String, count: Int? = nil) -> String {
        let entry = Self.sentences[key]?[rawValue]
        let isOne = count == 1 || count == 0 && self == .french
        return entry?.string ?? entry?[isOne ? "one" : "other"]?.string ?? key
    }

    static let sentences = (try? JSONReader.read(PackageResources.texts_json)) ?? .null
}
