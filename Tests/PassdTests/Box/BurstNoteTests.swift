// Tests the record of a service whose burst does not refill. The record survives restarts.

import AccessEnabler
import PassTestTools
import Testing

@testable import PassPlatform

@Suite("ruling 33; rest-v2.md §15: a one-time burst over a restart") struct BurstNoteTests {
    private static let origin = "https://sp.example"
    private static let date: Int64 = 1_795_564_800_000

    private static func note(in directory: String, hoursLater: Int64 = 0) -> BurstNote {
        BurstNote(in: directory) { ServerTime(milliseconds: date + hoursLater * 3_600_000) }
    }

    @Test func `the record counts for a day and for its origin, also after a restart`() {
        let directory = TemporaryDirectory()
        #expect(Self.note(in: directory.path).remaining(of: Self.origin) == nil)
        Self.note(in: directory.path).note(Self.origin)
        let table: [(Int64, Duration?)] = [
            (0, .seconds(24 * 3600)), (1, .seconds(23 * 3600)), (24, nil), (1000, nil),
            // The box does not know the date yet.
            (-400_000, nil),
        ]
        for (hours, remaining) in table {
            #expect(Self.note(in: directory.path, hoursLater: hours).remaining(of: Self.origin) == remaining)
        }
        #expect(Self.note(in: directory.path).remaining(of: "https://other.example") == nil)
        Self.note(in: directory.path, hoursLater: 2).note("https://other.example")
        #expect(Self.note(in: directory.path, hoursLater: 2).remaining(of: Self.origin) == .seconds(22 * 3600))
    }

    @Test(arguments: [
        "", "x", "https://sp.example", "https://sp.example soon", "https://sp.example 1e9", "https://sp.example -1",
        "https://sp.example 99999999999999999999", "https://sp.example 1 2", "\u{FFFD} \u{0}\n\n \n",
        String(repeating: "x", count: 20_000),
    ]) func `a malformed file is ignored and replaced`(text: String) {
        let directory = TemporaryDirectory()
        directory.write(Array(text.utf8), to: "one-time-burst")
        let note = Self.note(in: directory.path)
        #expect(note.remaining(of: Self.origin) == nil)
        note.note(Self.origin)
        #expect(note.remaining(of: Self.origin) == .seconds(24 * 3600))
    }

    @Test func `of too many origins the latest are kept`() {
        let directory = TemporaryDirectory()
        for hour in 0..<20 { Self.note(in: directory.path, hoursLater: Int64(hour)).note("https://sp\(hour).example") }
        let note = Self.note(in: directory.path, hoursLater: 20)
        let kept = (0..<20).filter { note.remaining(of: "https://sp\($0).example") != nil }
        #expect(kept == Array(4..<20))
    }

    @Test func `if the directory accepts no file, the record is only in memory`() {
        let note = Self.note(in: "/proc/nowhere")
        note.note(Self.origin)
        #expect(note.remaining(of: Self.origin) == nil)
    }
}
