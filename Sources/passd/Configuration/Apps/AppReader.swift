// The stanzas of all apps. One that is wrong is set aside as a whole, because what is left of it may allow more than was
// meant; all others stand. operations.md §2.

struct AppReader {
    static let mostApps = 256

    private let environment: AppEnvironment
    /// Nil for a name whose last stanza was set aside: an earlier one of that name was to be replaced, and does not
    /// come back.
    private var stanzas: [String: AppStanza?] = [:]
    private var places: [String: TextPlace] = [:]
    private var problems: [Problem] = []

    static func read(
        _ files: ConfigurationFiles.Found, _ environment: AppEnvironment
    ) -> (stanzas: [AppStanza], problems: [Problem]) {
        var reader = AppReader(environment)
        for path in files.paths { reader.read(path) }
        var stanzas = reader.stanzas.values.compactMap(\.self).sorted { $0.name < $1.name }
        if stanzas.count > mostApps {
            reader.problems.append(Problem(.ignored, stanzas[mostApps].place, "more than \(mostApps) apps"))
            stanzas.removeSubrange(mostApps...)
        }
        // A directory of apps that cannot be read leaves nobody allowed, which is no reason not to start.
        let missing = files.problems.map { Problem(.ignored, $0.place, $0.message) }
        return (stanzas, missing + reader.problems)
    }

    private init(_ environment: AppEnvironment) { self.environment = environment }

    private mutating func read(_ path: String) {
        let bytes: [UInt8]
        do { bytes = try TextFile.read(path) } catch {
            problems.append(Problem(.ignored, TextPlace(path), error.description))
            return
        }
        let text = INIText(bytes)
        var found = text.faults.map { Problem(.ignored, TextPlace(path, $0.line), $0.message) }
        for section in text.sections where section.name != nil { take(section, path, &found) }
        problems += found.sorted { $0.place.line < $1.place.line }.bounded(path)
    }

    private mutating func take(_ section: INIText.Section, _ path: String, _ found: inout [Problem]) {
        let place = TextPlace(path, section.line)
        let words = section.name?.words ?? []
        guard words.count == 2, words[0] == "app", Self.isName(words[1]) else {
            let what = "a file of apps holds sections [app NAME], the name of letters, digits and . _ -"
            found.append(Problem(.ignored, place, "unknown section [\((section.name ?? "").prefix(64))]; \(what)"))
            return
        }
        let name = words[1]
        if let earlier = places[name] {
            found.append(Problem(.ignored, place, "app \(name) stands already at \(earlier), which is set aside"))
        }
        places[name] = place
        var reader = StanzaReader(name, at: place, environment)
        for entry in section.entries { reader.take(entry) }
        reader.finish()
        found += reader.problems
        let isSetAside = reader.isBroken || section.isDamaged
        stanzas.updateValue(isSetAside ? nil : reader.stanza, forKey: name)
        if isSetAside { found.append(Problem(.ignored, place, "app \(name) is set aside until this is corrected")) }
    }

    private static func isName(_ text: String) -> Bool {
        text.utf8.count <= 64 && text.utf8.first.map(Paths.isLetterOrDigit) == true
            && text.utf8.allSatisfy { Paths.isLetterOrDigit($0) || [0x2E, 0x5F, 0x2D].contains($0) }
    }
}
