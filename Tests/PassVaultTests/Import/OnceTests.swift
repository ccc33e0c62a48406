// Tests that each login is returned only once, even with restarts, kills, logouts and disks that accept no changes.

import AccessEnabler
import FoundationEssentials
import Glibc
import PassTestTools
import Testing

@testable import PassVault

@Suite("access-enabler.md §6.1 item 4, §9.5: each login is returned once") struct OnceTests {
    private let box = OldBox()

    @Test func `a login that was returned is not returned again, in this run or the next`() async {
        box.shared(OldFile.token())
        let importer = box.importer()
        #expect(await box.logins("NEWS24", importer) == ["all Cablevista"])
        #expect(await box.logins("NEWS24", importer) == [])
        #expect(await box.logins("NEWS24") == [])
        #expect(await box.logins("SPORTS") == ["all Cablevista"])
        #expect(box.marks.count == 2)
        #expect(box.troubles == [])
    }

    @Test func `a kill between the mark and the return loses the login, but never returns it twice`() async {
        box.shared(OldFile.token())
        box.own("NEWS24", OldFile.token(provider: "Own"))
        // The answer of this importer is lost.
        _ = await box.importer().logins(for: Samples.requestor)
        #expect(await box.logins("NEWS24") == [])
    }

    @Test func `a kill between two marks loses one login`() async throws {
        box.shared(OldFile.token())
        box.own("NEWS24", OldFile.token(provider: "Own"))
        _ = await box.logins("NEWS24")
        let mark = try #require(box.marks.first)
        box.state.remove("imported/" + mark)
        #expect(await box.logins("NEWS24").count == 1)
        #expect(box.marks.contains(mark))
    }

    @Test func `the marks are on the disk before the logins are returned`() async {
        box.shared(OldFile.token())
        // A regular file with the folder's name prevents the folder.
        box.state.write([UInt8](), to: "imported")
        #expect(await box.logins("NEWS24") == [])
        #expect(box.troubles.count == 1)
        box.state.remove("imported")
        #expect(await box.logins("NEWS24") == ["all Cablevista"])
    }

    @Test func `without a state directory no login is returned`() async {
        box.shared(OldFile.token())
        let importer = LayoutImporter(from: box.old.path, state: box.state.path + "/nowhere", now: { importDay })
        #expect(await box.logins("NEWS24", importer) == [])
    }

    @Test func `copies of a login in two places or forms count as one login`() async {
        box.shared(OldFile.token())
        box.own("NEWS24", OldFile.token().replacing("GMT +0200", with: "GMT+02:00"))
        #expect(await box.logins("NEWS24") == ["NEWS24 Cablevista"])
        box.own("NEWS24", "<!-- again -->" + OldFile.token())
        #expect(await box.logins("NEWS24") == [])
    }

    @Test func `another login in the same file counts as a new login`() async {
        box.shared(OldFile.token())
        _ = await box.logins("NEWS24")
        box.shared(OldFile.token(guid: "another"))
        #expect(await box.logins("NEWS24") == ["all Cablevista"])
    }

    @Test(arguments: [true, false])
    func `a logout ends the logins for all requestors, even for those that have not asked`(
        restarts: Bool
    ) async {
        box.shared(OldFile.token())
        box.own("SPORTS", OldFile.token(requestor: "SPORTS"))
        let importer = box.importer()
        _ = await box.logins("NEWS24", importer)
        await importer.forget(nil)
        box.own("SPORTS", OldFile.token(requestor: "SPORTS", guid: "later"))
        for requestor in ["NEWS24", "SPORTS", "KIDS"] {
            #expect(await box.logins(requestor, restarts ? nil : importer) == [])
        }
    }

    @Test(arguments: [true, false]) func `logins that are forgotten for some requestors stay for the others`(
        restarts: Bool
    ) async {
        box.shared(OldFile.token())
        let importer = box.importer()
        await importer.forget([Samples.requestor, RequestorID(rawValue: "KIDS")])
        let next = restarts ? box.importer() : importer
        #expect(await box.logins("NEWS24", next) == [])
        #expect(await box.logins("KIDS", next) == [])
        #expect(await box.logins("SPORTS", next) == ["all Cablevista"])
    }

    @Test func `forget with no requestors has no effect`() async {
        box.shared(OldFile.token())
        let importer = box.importer()
        await importer.forget([])
        #expect(box.state.names == [])
        #expect(await box.logins("NEWS24", importer) == ["all Cablevista"])
    }

    @Test func `if forget cannot be stored, it applies to this run, and is stored once that is possible`()
        async
    {
        box.shared(OldFile.token())
        box.state.write([UInt8](), to: "imported")
        let importer = box.importer()
        await importer.forget(nil)
        #expect(await box.logins("NEWS24", importer) == [])
        box.state.remove("imported")
        #expect(await box.logins("SPORTS", importer) == [])
        #expect(box.marks == ["forgotten"])
        #expect(await box.logins("NEWS24") == [])
    }

    @Test func `the number of marks is limited, but forget still works at the limit`() async {
        box.shared(OldFile.token())
        mkdir(box.state.path + "/imported", 0o700)
        for number in 0..<ImportMarks.maxMarks { box.state.write([UInt8](), to: "imported/taken-\(number)") }
        let importer = box.importer()
        #expect(await box.logins("NEWS24", importer) == [])
        #expect(box.troubles.count == 1)
        await importer.forget([RequestorID(rawValue: "KIDS")])
        #expect(box.marks.first == "forgotten")
        #expect(await box.logins("SPORTS") == [])
    }

    @Test func `only the daemon's user can read the marks, and they contain no name`() async throws {
        box.shared(OldFile.token())
        await box.importer().forget([Samples.requestor])
        _ = await box.logins("SPORTS")
        #expect(box.state.mode(of: "imported") == 0o700)
        for mark in box.marks {
            #expect(box.state.mode(of: "imported/" + mark) == 0o600)
            #expect(box.state.read("imported/" + mark) == [])
            #expect(!mark.contains("NEWS24") && !mark.contains("SPORTS"))
        }
        #expect(box.marks.count == 2)
    }
}
