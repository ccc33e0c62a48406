// Tests which logins the importer returns, and from which files.

import AccessEnabler
import Glibc
import PassTestTools
import Testing

@testable import PassVault

@Suite("access-enabler.md §6.1 item 4: tokens of version 1.6") struct ImporterTests {
    private let box = OldBox()

    @Test
    func `the shared login is for all requestors, but a private login is only for its own requestor and comes first`()
        async
    {
        box.shared(OldFile.token(requestor: "OTHER", provider: "Shared"))
        box.own("NEWS24", OldFile.token(provider: "Own"))
        let importer = box.importer()
        #expect(await box.logins("NEWS24", importer) == ["NEWS24 Own", "all Shared"])
        #expect(await box.logins("SPORTS", importer) == ["all Shared"])
        #expect(box.troubles == [])
    }

    @Test func `a login has its expiry and its device`() async {
        box.own("NEWS24", OldFile.token())
        let logins = await box.importer().logins(for: RequestorID(rawValue: "NEWS24"))
        let expected = ImportedLogin(
            requestor: RequestorID(rawValue: "NEWS24"), provider: ProviderID(rawValue: "Cablevista"),
            expires: ServerTime(milliseconds: 1_933_143_630_000), fingerprint: "0d1ce")
        #expect(logins == [expected])
    }

    @Test func `without the older layout there are no logins and no warnings`() async {
        #expect(await box.logins("NEWS24") == [])
        rmdir(box.old.path + "/requestors")
        #expect(await box.logins("NEWS24") == [])
        let nowhere = LayoutImporter(from: box.old.path + "/nowhere", state: box.state.path, now: { importDay })
        #expect(await box.logins("NEWS24", nowhere) == [])
        #expect(box.troubles == [])
        #expect(box.state.names == [])
    }

    @Test func `another requestor's private token is not accepted, even if its file has the right name`() async {
        box.own("NEWS24", OldFile.token(requestor: "SPORTS"))
        box.own("CAF%C3%A9", OldFile.token(requestor: "CAFe\u{301}"))
        #expect(await box.logins("NEWS24") == [])
        #expect(await box.logins("CAF\u{E9}") == [])
        #expect(box.troubles.count == 2)
    }

    @Test(
        arguments: [
            ("NEWS24", "NEWS24.xml"), ("a_b-C", "a_b-C.xml"), ("a.b", "a%2Eb.xml"), ("..", "%2E%2E.xml"),
            ("../shared", "%2E%2E%2Fshared.xml"), ("a b", "a%20b.xml"), ("é", "%C3%A9.xml"), ("\u{1}", "%01.xml"),
            ("%41", "%2541.xml"), ("", nil), (String(repeating: "x", count: 252), nil),
        ] as [(String, String?)])
    func `each requestor has its own file`(requestor: String, name: String?) {
        #expect(OldLayout.fileName(of: RequestorID(rawValue: requestor)) == name)
    }

    @Test func `a requestor with a name like a path reads its own file`() async {
        box.own("%2E%2E%2Fshared", OldFile.token(requestor: "../shared"))
        #expect(await box.logins("../shared") == ["../shared Cablevista"])
    }

    @Test func `an invalid file affects no other file, and is reported once`() async {
        box.shared("<signatureInfo>hush")
        box.own("NEWS24", OldFile.token())
        let importer = box.importer()
        #expect(await box.logins("NEWS24", importer) == ["NEWS24 Cablevista"])
        #expect(await box.logins("SPORTS", importer) == [])
        #expect(box.troubles == ["\(box.old.path)/shared.xml: <signatureInfo> is not closed"])
    }

    @Test func `forgotten logins are final only if that could be stored`() async throws {
        box.shared(OldFile.token())
        let importer = box.importer()
        box.state.write([UInt8](), to: "imported")
        #expect(await !importer.forget([RequestorID(rawValue: "NEWS24")]))
        #expect(await !importer.forget(nil))
        box.state.remove("imported")
        #expect(await importer.forget([]))
        #expect(await importer.forget([RequestorID(rawValue: "SPORTS")]))
        #expect(await box.logins("NEWS24", importer) == [])
    }

    @Test func `a file that is repaired later is then imported`() async {
        box.shared("rubbish")
        let importer = box.importer()
        #expect(await box.logins("NEWS24", importer) == [])
        box.shared(OldFile.token())
        #expect(await box.logins("NEWS24", importer) == ["all Cablevista"])
    }

    @Test(arguments: [(-1, 1), (0, 0), (1, 0)] as [(Int64, Int)])
    func `an expired login is not returned`(milliseconds: Int64, count: Int) async {
        box.shared(OldFile.token())
        let now = ServerTime(milliseconds: 1_933_143_630_000 + milliseconds)
        #expect(await box.importer(at: now).logins(for: Samples.requestor).count == count)
        // A wrong clock must not lose a login.
        #expect(await box.logins("NEWS24").count == 1 - count)
    }

    @Test func `only a regular file is read`() async {
        let target = TemporaryDirectory(inMemory: true)
        target.write(OldFile.token(), to: "token.xml")
        box.old.link("shared.xml", to: target.path + "/token.xml")
        mkfifo(box.old.path + "/requestors/PIPE.xml", 0o600)
        mkdir(box.old.path + "/requestors/FOLDER.xml", 0o700)
        box.own("LARGE", OldFile.token(requestor: "LARGE") + String(repeating: " ", count: OldLayout.largestFile))
        for requestor in ["NEWS24", "PIPE", "FOLDER", "LARGE"] { #expect(await box.logins(requestor) == []) }
        let reasons = Set(box.troubles.map { $0.split(separator: ": ").last ?? "" })
        #expect(reasons == ["it is a symbolic link", "it is not a regular file", "it is larger than 65536 bytes"])
        #expect(box.state.names == [])
    }

    @Test func `a folder that is a symbolic link is not read`() async {
        let target = TemporaryDirectory(inMemory: true)
        target.write(OldFile.token(), to: "NEWS24.xml")
        rmdir(box.old.path + "/requestors")
        box.old.link("requestors", to: target.path)
        #expect(await box.logins("NEWS24") == [])
        #expect(box.troubles.count == 1)
    }

    @Test func `the files of the older layout are not changed`() async {
        box.shared(OldFile.token())
        let before = box.old.read("shared.xml")
        let importer = box.importer()
        _ = await box.logins("NEWS24", importer)
        await importer.forget(nil)
        #expect(box.old.names == ["requestors", "shared.xml"])
        #expect(box.old.read("shared.xml") == before)
    }
}
