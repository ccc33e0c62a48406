// Tests `export` and `import`: the file, the question before an import, and the message afterwards.

import Glibc
import PassArguments
import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools
import Testing

@testable import PassCLI

@Suite("operations.md §1: export, import") struct BackupVerbTests {
    private static let text = "passd-backup 1\nAkVuY3J5cHRlZA==\n"
    private static let answers: [String: ScriptedDaemon.Answer] = [
        "passd.export": .result(["backup": .string(text), "logins": 2, "apps": 1]),
        "passd.import": .result(["logins": 2, "restarts": true]),
    ]
    private let folder = TemporaryDirectory()

    @Test func `only the owner can read the file, an existing file is kept, and the message describes the contents`()
        async throws
    {
        let (daemon, path) = (try ScriptedDaemon(Self.answers), folder.file("backup"))
        let ran = await run(["export", path], daemon)
        #expect(ran.exit == .done && ran.out == "Written to \(path): 2 logins, 1 app.\n")
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(folder.read("backup") == Array(Self.text.utf8))
        let again = await run(["export", path], daemon)
        #expect(again.exit == .failed && again.err.contains("File exists") && again.err.contains("Name another file."))
    }

    @Test func `a record of requests begins, ends on Enter, and is written for its owner alone`() async throws {
        let daemon = try ScriptedDaemon([
            "passd.record": .sequence([
                .result(["exchanges": [["request": "of an earlier record"]], "complete": true]),
                .result(["exchanges": [["request": "GET /a"], ["request": "GET /b"]], "complete": false]),
            ]),
            "passd.doctor": .result(["checks": []]),
        ])
        let path = folder.file("record")
        let ran = await run(["doctor", "--record", path], daemon, console: RecordedConsole(typed: [""]))
        #expect(ran.exit == .done && ran.err.contains("Press Enter"))
        #expect(ran.err.contains("2 requests in \(path). Some requests are missing."))
        #expect(daemon.params(of: "passd.record") == [["on": true], ["on": false]])
        #expect(folder.read("record") == Array("{\"request\":\"GET /a\"}\n{\"request\":\"GET /b\"}\n".utf8))
        let again = await run(["doctor", "--record", path], daemon, console: RecordedConsole(typed: [""]))
        #expect(
            again.exit == .failed && again.err.contains("File exists") && daemon.params(of: "passd.record").count == 2)
    }

    @Test func `a record continues after a restart of passd, and keeps its earlier part`() async throws {
        func answer(_ request: String?) -> ScriptedDaemon.Answer {
            .result(["exchanges": .array(request.map { [["request": .string($0)]] } ?? []), "complete": true])
        }
        let daemon = try ScriptedDaemon([
            "passd.record": .sequence([
                answer(nil), answer("GET /a"), .hangUp, .hangUp, answer("GET /b"), answer("GET /c"),
            ]),
            "passd.doctor": .result(["checks": []]),
        ])
        let path = folder.file("record")
        let console = RecordedConsole(typesLater: true)
        async let ran = run(["doctor", "--record", path], daemon, console: console)
        try await console.warned.wait { $0.contains { $0.contains("Press Enter") } }
        for calls in 2...5 {
            console.clock.continuation.yield()
            try await daemon.heard.wait { $0.count { $0.method == "passd.record" } >= calls }
        }
        #expect(folder.read("record").starts(with: Array("{\"request\":\"GET /a\"}\n".utf8)), "before Enter")
        console.lines.continuation.yield("")
        let end = await ran
        #expect(end.exit == .done)
        #expect(
            end.err.contains("connecting again")
                && end.err.contains("3 requests in \(path). Some requests are missing."))
        #expect(daemon.params(of: "passd.record") == Array(repeating: ["on": true], count: 5) + [["on": false]])
        #expect(
            folder.read("record") == Array(["a", "b", "c"].map { "{\"request\":\"GET /\($0)\"}\n" }.joined().utf8))
    }

    @Test func `a minus sign means standard output`() async throws {
        let ran = await run(["export", "-"], try ScriptedDaemon(Self.answers))
        #expect(ran.exit == .done && ran.out == Self.text && ran.err == "")
    }

    @Test(arguments: [("y", true), ("YES", true), ("n", false), ("", false)])
    func `the user must confirm the import`(answer: String, isMeant: Bool) async throws {
        let (daemon, path) = (try ScriptedDaemon(Self.answers), folder.write(Self.text, to: "backup"))
        let ran = await run(["import", path], daemon, console: RecordedConsole(typed: [answer]))
        #expect(ran.err.contains("[y/N]") && ran.err.contains("Nothing was changed.") == !isMeant)
        #expect(ran.exit == (isMeant ? .done : .failed))
        #expect(daemon.params(of: "passd.import") == (isMeant ? [["backup": .string(Self.text)]] : []))
    }

    @Test(arguments: [(true, "passd restarts with these logins."), (false, "passd has ended: start it again.")])
    func `with --yes there is no question, and the message says who starts the daemon`(
        restarts: Bool, note: String
    ) async throws {
        let path = folder.write(Self.text, to: "backup")
        let daemon = try ScriptedDaemon(["passd.import": .result(["logins": 1, "restarts": .bool(restarts)])])
        let ran = await run(["import", "--yes", path], daemon, console: RecordedConsole(typed: []))
        #expect(ran.exit == .done && ran.out == "There is now 1 login.\n" && ran.err == "passd-cli: \(note)\n")
    }

    @Test func `a file that cannot be a backup is not sent, and a refusal is printed`() async throws {
        let daemon = try ScriptedDaemon([
            "passd.import": .error(.badBackup("The backup is damaged.", remedy: "Take another."))
        ])
        for (path, reason) in [
            (folder.file("absent"), "No such file"), (folder.path, "directory"),
            (folder.write([UInt8]([0xFF, 0xFE]), to: "bytes"), "not text"),
        ] {
            let ran = await run(["import", "--yes", path], daemon)
            #expect(ran.exit == .failed && ran.err.contains(reason), "\(ran.err)")
        }
        #expect(daemon.methods == [])
        let ran = await run(["import", folder.write(Self.text, to: "backup")], daemon)
        #expect(ran.exit == .failed && ran.err == "passd-cli: The backup is damaged.\nTake another.\n")
    }
}
