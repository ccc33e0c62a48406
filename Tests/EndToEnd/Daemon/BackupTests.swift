// Tests backups from end to end. A login is exported to a file, removed, and restored from the file. Another box
// refuses the file.

import Glibc
import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools
import Testing

@Suite("rpc.md §7: export and import") struct BackupTests {
    @Test func `a backup that is too large for one message of import is refused`() throws {
        let box = try RunningBox("[limits]\nmessage-size = 4KiB")
        for requestor in ["LUMENTV", "LUMENKIDS", "NEWS24"] {
            let app = try box.app(requestor)
            guard try app.call("checkAuthentication")["authenticated"] == false else { continue }
            try box.logIn(try app.openLogin())
            try app.hearLogin()
        }
        let file = box.scratch.file("backup")
        let refused = try box.cli(["export", file])
        #expect(refused.status == 1 && refused.errors.contains("Set message-size in [limits] to "), "\(refused)")
        #expect(access(file, F_OK) != 0)
    }

    @Test func `a login is restored on its own box, and another box refuses the file`() throws {
        let box = try RunningBox()
        let app = try box.app("LUMENTV")
        try box.logIn(try app.openLogin())
        try app.hearLogin()
        let file = box.scratch.file("backup")
        let written = try box.cli(["export", file])
        #expect(written.status == 0 && written.output.contains(": 1 login, "), "\(written)")
        #expect(try box.cli(["forget", "--all"]).status == 0)
        #expect(try app.call("checkAuthentication")["authenticated"] == false)
        // This login comes from single sign-on. The backup does not have it.
        let news = try box.app("NEWS24")
        #expect(try news.call("checkAuthentication")["authenticated"] == true)
        let watcher = try box.operatorsView()
        _ = try watcher.call("passd.subscribe", ["types": ["authentication"]])

        let other = try RunningBox()
        let refused = try other.cli(["import", "--yes", file])
        #expect(refused.status == 1 && refused.errors.contains("another key"), "\(refused)")
        #expect(
            try other.app("LUMENTV").call("checkAuthentication")["authenticated"] == false, "the other box still runs")

        let read = try box.cli(["import", "--yes", file])
        #expect(read.status == 0 && read.output == "There is now 1 login.\n", "\(read)")
        #expect(read.errors.contains("start it again"), "\(read.errors)")
        try watcher.hear("event") { event in
            let end = event["data"]
            return end?["requestorID"] == "NEWS24" && end?["authenticated"] == false && end?["reason"] == "store"
                && end?["by"] == "operator"
        }
        #expect(try box.daemon.wait().status == 75)
        for line in [
            "was exported (logins=1 peer_pid=", "has replaced the store; passd restarts with it (logins=1 peer_pid=",
            "(requestor=NEWS24 provider=NorthCable authenticated=no reason=store by=operator)",
        ] {
            #expect(box.daemon.errors.contains(line), "\(line) in \(box.daemon.errors)")
        }
        #expect(throws: (any Error).self, "an app has to connect again") { try app.call("checkAuthentication") }

        try box.start()
        let again = try box.app("LUMENTV")
        #expect(try again.call("checkAuthentication")["authenticated"] == true)
        #expect(try again.call("getAuthorization", ["resource": "lumen-sports-1"])["authorized"] == true)
    }
}
