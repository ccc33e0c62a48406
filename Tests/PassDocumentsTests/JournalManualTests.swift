// Tests that the journal's catalogue has an entry for every event that may need action. operations.md §3.

import FoundationEssentials
import PassServer
import PassSystem
import Testing

private let repository = String(#filePath.dropLast("Tests/PassDocumentsTests/JournalManualTests.swift".count))

/// An entry of systemd/passd.catalog.
private struct Entry {
    let id: String
    let subject: String
    let meaning: String
    let remedy: String

    /// Reads the text after `-- `: the id, the header, and the two paragraphs.
    init(_ text: Substring) throws {
        let parts = text.split(separator: "\n\n")
        try #require(parts.count == 3, "\(text)")
        let header = parts[0].split(separator: "\n").map(String.init)
        (id, meaning, remedy) = (header[0], String(parts[1]), parts[2].split(separator: "\n").joined())
        subject = header[1]
        let rest = ["Defined-By: passd", "Support: man:passd(8)", "Documentation: man:passd(8)"]
        #expect(Array(header.dropFirst(2)) == rest)
    }

    static let all = Result {
        try String(contentsOfFile: repository + "systemd/passd.catalog", encoding: .utf8)
            .split(separator: "\n-- ").dropFirst().map(Entry.init)
    }
}

private let explained = JournalEvent.all.filter { $0.catalogID != nil }

@Suite struct JournalManualTests {
    @Test func `the catalogue has an entry for each of these events, with its message, and no other`() throws {
        let entries = try Entry.all.get().map { [$0.id, $0.subject] }
        let events = explained.map { [$0.catalogID?.description ?? "", "Subject: passd: \($0.message)"] }
        #expect(entries.count == events.count && Set(entries) == Set(events))
    }

    @Test func `exactly the events that are errors or warnings have an entry`() {
        // Lost or suppressed records need an explanation at any level.
        let ofTheLog = [JournalEvent.logOverflow, .logSuppressed].map(\.name.description)
        let acted = JournalEvent.all.map { ($0.level <= .warning, $0.name.description) }
            .filter { $0.0 || ofTheLog.contains($0.1) }.map(\.1)
        #expect(Set(explained.map(\.name.description)) == Set(acted))
        #expect(explained.count == acted.count)
    }

    @Test func `every event in the source is in the list of all events`() throws {
        let files = ["PassServer/Records/Records", "PassServer/Events/EventForm", "PassSystem/Journal/JournalEvent"]
        let sources = try files.map { try String(contentsOfFile: "\(repository)Sources/\($0).swift", encoding: .utf8) }
        let declared = sources.joined().matches(of: /name: "[A-Z_]+",/).count
        #expect(declared == JournalEvent.all.count)
        #expect(Set(JournalEvent.all.map(\.name.description)).count == declared, "names are unique")
    }

    @Test func `message ids are 128 bits in lower-case hexadecimal digits, and unique`() {
        let ids = explained.map { $0.catalogID?.description ?? "" }
        #expect(Set(ids).count == ids.count)
        for id in ids { #expect(id.count == 32 && id.allSatisfy { "0123456789abcdef".contains($0) }, "\(id)") }
    }

    @Test func `an entry that names passd-cli shows the command for an instance`() throws {
        let naming = try Entry.all.get().map { $0.meaning + $0.remedy }.filter { $0.contains("`passd-cli ") }
        #expect(naming.count >= 4)
        let note = " The record is from @_SYSTEMD_UNIT@. If this is an instance"
        for entry in naming { #expect(entry.contains(note), "\(entry)") }
    }

    @Test(arguments: explained.map { $0.catalogID?.description })
    func `an entry has an explanation and a remedy, with fields that the daemon logs`(_ id: String?) throws {
        let entry = try #require(try Entry.all.get().first { $0.id == id })
        let (meaning, remedy) = (entry.meaning, entry.remedy)
        #expect(meaning.hasSuffix(".") || meaning.hasSuffix("@"))
        #expect(remedy.hasSuffix("."))
        for text in [meaning, remedy] {
            // Every second part between two @ is a field name.
            let fields = text.split(separator: "@", omittingEmptySubsequences: false).enumerated()
                .filter { $0.offset % 2 == 1 }.map(\.element)
            for field in fields { #expect(field.hasPrefix("PASSD_") || field == "_SYSTEMD_UNIT", "\(field)") }
            #expect(text.count { $0 == "@" } % 2 == 0)
            // An instance has units of its own, so fields name them.
            #expect(!text.contains("passd.service") && !text.contains("-u passd"))
        }
    }
}
