// Tests the form of software statements. operations.md §2.

import AccessEnabler
import PassSystem
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

@Suite struct SoftwareStatementTests {
    @Test(arguments: ["a.b.c", " a.b.c\n", "a\n.b.\r\n c\t", "A-_9.b.c"])
    func `three parts of base64url are a statement, with any line breaks`(text: String) throws {
        let revealed = try SoftwareStatement(Array(text.utf8)).text.reveal()
        #expect(!revealed.contains { $0.isWhitespace } && revealed.split(separator: ".").count == 3)
    }

    @Test(arguments: [
        ("", "is empty"), (" \n", "is empty"), ("a.b", "three parts"), ("a.b.c.d", "three parts"),
        ("a..c", "three parts"),
        ("a.b.", "three parts"), ("a.b.c=", "three parts"), ("a.b.c+", "three parts"), ("<html>", "three parts"),
        ("a.b.\0", "three parts"), ("a.b.ü", "three parts"),
        ("a.b." + String(repeating: "c", count: 1 << 16), "larger"),
    ])
    func `any other text is not a statement`(text: String, message: String) throws {
        let fault = try #require(throws: SoftwareStatement.Fault.self) { try SoftwareStatement(Array(text.utf8)) }
        #expect(fault.description.contains(message))
    }

    @Test func `an unreadable statement makes the app useless, but the app stays known`() throws {
        let workspace = Workspace()
        workspace.resources.readStatement = { _ in .failure(.init("cannot be read: Permission denied")) }
        let loaded = try workspace.load(
            apps: "[app a]\nrequestors = A\nsoftware-statement = file:/a.jwt\nallow = user:kodi\n")
        let reason = "the software statement of app a, file:/a.jwt, cannot be read: Permission denied"
        #expect(workspace.problems(loaded) == ["/etc/passd/apps.d/test.conf:3: \(reason)"])
        #expect(loaded.isClear && !loaded.canWork)
        #expect(loaded.apps.first?.statement == .unusable(reason: reason))
    }

    @Test func `other contents are a warning, and are not shown`() throws {
        let workspace = Workspace()
        workspace.resources.readStatement = { _ in .success(Array("hunter2".utf8)) }
        let loaded = try workspace.load(
            apps: "[app a]\nrequestors = A\nsoftware-statement = credential:a\nallow = user:kodi\n")
        #expect(loaded.problems.count == 1)
        #expect(loaded.problems.first?.description.contains("credential:a, is not a software statement") == true)
        #expect(!loaded.problems.contains { $0.description.contains("hunter2") })
    }

    @Test func `a stanza does not print its statement`() throws {
        let loaded = try Workspace().load(
            apps: "[app a]\nrequestors = A\nsoftware-statement = credential:a\nallow = user:kodi\n")
        #expect(!"\(loaded)".contains(Workspace.statement))
    }

    @Test func `statements are read from their files`() throws {
        let workspace = Workspace()
        try workspace.write("a.jwt", Workspace.statement + "\n")
        let live = StanzaResources.live(credentials: .init(directory: workspace.root))
        #expect(
            live.readStatement(.file(workspace.file("a.jwt"))) == .success(Array((Workspace.statement + "\n").utf8)))
        #expect(live.readStatement(.credential("a.jwt")) == .success(Array((Workspace.statement + "\n").utf8)))
        #expect(
            live.readStatement(.file(workspace.file("b.jwt")))
                == .failure(.init("cannot be read: No such file or directory")))
        guard case .failure(let fault) = live.readStatement(.credential("b")) else {
            Issue.record("there is no such credential")
            return
        }
        #expect(fault.description.contains("LoadCredential="))
    }

    @Test func `accounts are looked up on the machine`() {
        #expect(Accounts.user("root") == 0)
        #expect(Accounts.group("root") == 0)
        #expect(Accounts.groups(0).contains(0))
        #expect(Accounts.user("no such user") == nil)
        #expect(Accounts.group("no such group") == nil)
        #expect(Accounts.groups(4_294_000_000).isEmpty)
    }
}
