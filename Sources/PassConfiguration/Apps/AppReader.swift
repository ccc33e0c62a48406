// Reads the stanzas of all apps. A faulty stanza is ignored as a whole, because without the faulty part it may allow more than
// the author meant. The other stanzas stay valid. Stanzas before an unreadable part of the files are not trusted, because this
// part may hide a stricter stanza for the same app. operations.md §2.

import PassJSON
import PassProtocol
import PassSystem

struct AppReader {
    /// The max number of apps. The number of their files has the same limit, because most packages install one file with one
    /// app.
    static let maxApps = 4096

    private let resources: StanzaResources
    /// The stanzas by name. Nil means that the last stanza of the name was ignored, and that earlier stanzas of this name are
    /// not used either.
    private var stanzas: [String: AppStanza?] = [:]
    private var places: [String: FilePosition] = [:]
    private var problems: [Problem] = []

    static func read(
        _ files: ConfigurationFiles.Found, _ resources: StanzaResources
    ) -> (stanzas: [AppStanza], problems: [Problem]) {
        var reader = AppReader(resources)
        var gaps = files.gaps[...]
        for (index, path) in files.paths.enumerated() {
            while let gap = gaps.first, gap.position <= index {
                reader.miss(gap.problem)
                gaps.removeFirst()
            }
            reader.read(path)
        }
        for gap in gaps { reader.miss(gap.problem) }
        var stanzas = reader.stanzas.values.compactMap(\.self).sorted { $0.name < $1.name }
        if stanzas.count > maxApps {
            let first = stanzas[maxApps]
            reader.problems.append(
                Problem(
                    .ignored, place: first.place,
                    message:
                        "there are \(stanzas.count) apps, but passd accepts at most \(maxApps); passd denies app "
                        + "\(first.name) and all apps after it, in the order of names; remove unused stanzas"))
            stanzas.removeSubrange(maxApps...)
        }
        return (stanzas, reader.problems + hidden(among: stanzas))
    }

    /// The search for duplicates ends after this many pairs of a rule and a requestor, because its result is only a warning.
    /// One stanza may have four thousand pairs.
    private static let maxPairs = 1 << 14

    /// Finds statements that are never used. Several stanzas may list the same requestor, for example for several programs of
    /// one company. If two of these stanzas also have the same rule, passd uses only the first stanza's statement.
    private static func hidden(among stanzas: [AppStanza]) -> [Problem] {
        var listings: [String: Int] = [:]
        for stanza in stanzas { for requestor in stanza.requestors { listings[requestor, default: 0] += 1 } }
        struct Entry: Hashable {
            let requestor: String
            let conditions: Set<AllowRule.Condition>
        }
        var first: [Entry: AppStanza] = [:]
        var left = maxPairs
        var problems: [Problem] = []
        for stanza in stanzas where stanza.may.contains(.entitlement) {
            let shared = stanza.requestors.filter { listings[$0, default: 0] > 1 }
            if shared.isEmpty { continue }
            var earlier: (stanza: AppStanza, requestor: String, rule: AllowRule)?
            for rule in stanza.allow where left > 0 && !rule.conditions.contains(.missingAccount) {
                let conditions = Set(rule.conditions)
                for requestor in shared.prefix(left) {
                    left -= 1
                    let entry = Entry(requestor: requestor, conditions: conditions)
                    if let known = first[entry] {
                        if known.name != stanza.name { earlier = earlier ?? (known, requestor, rule) }
                    } else {
                        first[entry] = stanza
                    }
                }
            }
            guard let earlier else { continue }
            problems.append(
                Problem(
                    .warning, place: stanza.place,
                    message: "app \(stanza.name) gives requestor \(earlier.requestor) to \(earlier.rule.text), as does "
                        + "app \(earlier.stanza.name) at \(earlier.stanza.place); passd uses app \(earlier.stanza.name); "
                        + "make the rules different, or remove one"))
        }
        return problems
    }

    private init(_ resources: StanzaResources) { self.resources = resources }

    private mutating func read(_ path: String) {
        resources.willAsk(path)
        let bytes: [UInt8]
        do { bytes = try TextFile.read(path) } catch {
            return miss(Problem(.unclear, place: FilePosition(path), message: error.description))
        }
        let text = INIText(bytes)
        var found = text.faults.map {
            Problem($0.mayHideSection ? .unclear : .ignored, place: FilePosition(path, $0.line), message: $0.message)
        }
        var hidden = text.lastHidden
        for section in text.sections {
            if let line = hidden, line < section.line {
                found += distrust(FilePosition(path, line))
                hidden = nil
            }
            if section.name != nil { take(section, path: path, found: &found) }
        }
        if let hidden { found += distrust(FilePosition(path, hidden)) }
        problems += found.sorted { $0.place.line < $1.place.line }.bounded(path)
    }

    /// Notes that a file or directory cannot be read. The daemon starts anyway, but denies the apps whose stanzas this file or
    /// directory may replace.
    private mutating func miss(_ problem: Problem) {
        problems.append(Problem(.unclear, place: problem.place, message: problem.message))
        problems += distrust(problem.place)
    }

    /// Drops all stanzas read so far, because the unreadable part may have replaced any of them.
    private mutating func distrust(_ place: FilePosition) -> [Problem] {
        let names = stanzas.compactMap { $0.value == nil ? nil : $0.key }.sorted()
        guard !names.isEmpty else { return [] }
        for name in names { stanzas.updateValue(nil, forKey: name) }
        let shown = names.prefix(Self.maxNamed).joined(separator: ", ")
        let more = names.count > Self.maxNamed ? " and \(names.count - Self.maxNamed) more" : ""
        return [
            Problem(
                .unclear, place: place,
                message:
                    "this part may contain stricter stanzas for earlier apps; passd denies these apps until you correct or "
                    + "remove the part: " + shown + more)
        ]
    }

    private static let maxNamed = 8

    private mutating func take(_ section: INIText.Section, path: String, found: inout [Problem]) {
        let place = FilePosition(path, section.line)
        let words = section.name?.words ?? []
        guard words.count == 2, words[0] == "app", Self.isName(words[1]) else {
            let what = "a file in apps.d has sections [app NAME]; a name consists of letters, digits and . _ -"
            let isApp = words.first.map { Spelling.nearest(to: $0, among: ["app"]) != nil } ?? false
            found.append(
                Problem(
                    isApp ? .unclear : .ignored, place: place,
                    message: "unknown section [\((section.name ?? "").prefix(64))]; \(what)")
            )
            if isApp { found += distrust(place) }
            return
        }
        let name = words[1]
        if let earlier = places[name] {
            found.append(
                Problem(
                    .ignored, place: place,
                    message: "app \(name) was already defined at \(earlier); passd ignores the earlier definition"
                )
            )
        }
        places[name] = place
        var reader = StanzaReader(name, at: place, resources)
        for entry in section.entries { reader.take(entry) }
        reader.finish()
        found += reader.problems
        let isSetAside = reader.isBroken || section.isDamaged
        stanzas.updateValue(isSetAside ? nil : reader.stanza, forKey: name)
        if isSetAside {
            found.append(
                Problem(
                    .ignored, place: place,
                    message: "app \(name) is denied until the errors in this stanza are corrected"))
        }
    }

    static func isName(_ text: String, limit: Int = 64) -> Bool {
        text.utf8.count <= limit && text.utf8.first.map(Paths.isLetterOrDigit) == true
            && text.utf8.allSatisfy { Paths.isLetterOrDigit($0) || [0x2E, 0x5F, 0x2D].contains($0) }
    }
}
