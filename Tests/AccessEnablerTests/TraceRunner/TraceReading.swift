// Parses the words of a trace: durations, dates, faults, providers and logins.

import AccessEnabler
import FoundationEssentials
import PassJSON

/// A word that is not valid at its place.
struct TraceWordUnknown: Error, CustomStringConvertible {
    let word: String
    var description: String { "»\(word)« means nothing here" }
}

/// The words of one line, taken from the front.
struct TraceWords {
    private var rest: ArraySlice<String>

    /// A word in single quotes may contain spaces, or be empty.
    init(_ text: String) {
        var words: [String] = []
        var word: String?
        var isQuoted = false
        for character in text {
            switch character {
            case "'":
                isQuoted.toggle()
                word = word ?? ""
            case " " where !isQuoted:
                if let whole = word { words.append(whole) }
                word = nil
            default: word = (word ?? "") + String(character)
            }
        }
        if let word { words.append(word) }
        rest = words[...]
    }

    var isEmpty: Bool { rest.isEmpty }
    var first: String? { rest.first }
    var text: String { rest.joined(separator: " ") }

    mutating func next() throws -> String {
        guard let word = rest.popFirst() else { throw TraceWordUnknown(word: "end of line") }
        return word
    }

    /// Takes the word if it is the next one.
    mutating func take(_ word: String) -> Bool {
        guard rest.first == word else { return false }
        rest.removeFirst()
        return true
    }

    /// Takes all remaining words.
    mutating func all() -> [String] {
        defer { rest = [] }
        return Array(rest)
    }

    func finish() throws { if let word = rest.first { throw TraceWordUnknown(word: word) } }
}

enum TraceReading {
    static func pair(_ word: String) throws -> (String, String) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw TraceWordUnknown(word: word) }
        return (String(parts[0]), String(parts[1]))
    }

    static func flag(_ word: String) throws -> Bool {
        switch word {
        case "on", "true": true
        case "off", "false": false
        default: throw TraceWordUnknown(word: word)
        }
    }

    static func duration(_ word: String) throws -> Duration {
        let units: [(String, Int64)] = [
            ("ms", 1), ("min", 60_000), ("s", 1000), ("h", 3_600_000), ("d", 86_400_000),
        ]
        for (unit, milliseconds) in units where word.hasSuffix(unit) {
            if let count = Int64(word.dropLast(unit.count)) { return .milliseconds(count * milliseconds) }
        }
        throw TraceWordUnknown(word: word)
    }

    static func date(_ word: String) throws -> ServerTime {
        let date = try Date(word, strategy: .iso8601)
        return ServerTime(milliseconds: Int64(date.timeIntervalSince1970 * 1000))
    }

    static func fault(_ words: inout TraceWords) throws -> BackendFault {
        let name = try words.next()
        switch name {
        case "unreachable": return BackendFault(.unreachable)
        case "insecure": return BackendFault(.insecure)
        case "deadline": return BackendFault(.deadline)
        case "overloaded": return BackendFault(.overloaded)
        case "throttled": return BackendFault(.throttled)
        case "unusableAnswer": return BackendFault(.unusableAnswer)
        case "tokenRefused": return BackendFault(.tokenRefused)
        case "registrationRefused": return BackendFault(.registrationRefused(try words.next()))
        case "serverError": return BackendFault(.serverError(Int(try words.next()) ?? 500))
        case "refused": return BackendFault(.refused(try refusal(&words)))
        default: throw TraceWordUnknown(word: name)
        }
    }

    /// `<code> [<action>] ['<words for the viewer>']`
    static func refusal(_ words: inout TraceWords) throws -> ServiceError {
        let code = try words.next()
        let action = words.isEmpty ? "none" : try words.next()
        return ServiceError(
            status: 403, code: code, actionName: action, details: words.isEmpty ? nil : try words.next())
    }

    /// `M1`, `TP:pass`, `M2:perRequestor`
    static func provider(_ word: String) throws -> Provider {
        let parts = word.split(separator: ":")
        let name = String(parts[0])
        var provider = Provider(id: ProviderID(rawValue: name), displayName: name, logoURL: "")
        switch parts.dropFirst().first {
        case "pass": provider.isTempPass = true
        case "perRequestor": provider.loginPerRequestor = true
        case nil: break
        case let kind?: throw TraceWordUnknown(word: String(kind))
        }
        return provider
    }

    /// `<provider> [<kind>] [for <duration>]`
    static func profile(_ words: inout TraceWords, at now: ServerTime) throws -> Profile {
        let provider = ProviderID(rawValue: try words.next())
        let kinds: [String: Profile.Kind] = [
            "regular": .regular, "platformSSO": .platformSSO, "appleSSO": .appleSSO, "degraded": .degraded,
            "temporary": .temporary,
        ]
        var kind = Profile.Kind.regular
        if let word = words.first, let named = kinds[word] {
            kind = named
            _ = words.take(word)
        }
        let lifetime = words.take("for") ? try duration(words.next()) : .seconds(90 * 86400)
        return Profile(
            provider: provider, kind: kind, issuer: provider.rawValue, notBefore: now,
            notAfter: now.advanced(by: lifetime),
            attributes: [
                "userID": .init(value: .string("u1"), isEncrypted: false),
                "zip": .init(value: .string("cipher"), isEncrypted: true),
                "channelID": .init(value: ["N1", "N2"], isEncrypted: false),
                "maxRating": .init(value: ["MPAA": "PG"], isEncrypted: false),
            ])
    }

    /// Splits at commas.
    static func list(_ text: String) -> [TraceWords] {
        text.split(separator: ",").map { TraceWords(String($0)) }
    }
}
