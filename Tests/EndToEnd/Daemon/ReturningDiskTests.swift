// Tests a disk that cannot be read at the start, and returns while passd runs with another identity.

import Glibc
import PassJSON
import PassTestKit
import PassTestTools
import Testing

@Suite("access-enabler.md §10: the disk of another device") struct ReturningDiskTests {
    @Test(arguments: [false, true]) func `passd restarts as the device of the disk, and keeps only logouts`(
        logsOut: Bool
    ) throws {
        let box = try RunningBox()
        try logIn(box)
        try box.stop().requireSuccess()
        let salt = box.scratch.file("state/salt")
        try #require(rename(salt, salt + ".away") == 0 && symlink("/nowhere", salt) == 0)

        try box.start()
        let app = try box.app("LUMENTV")
        #expect(try app.call("checkAuthentication")["authenticated"] == false)
        if logsOut { try box.cli(["logout", "--all"]).requireSuccess() } else { try logIn(box) }
        unlink(salt)
        try #require(rename(salt + ".away", salt) == 0)
        // This writes to the store.
        _ = try? box.app("SUMMITTV").call("getAuthentication")
        #expect(try box.daemon.wait().status == 75)
        #expect(box.daemon.errors.contains("passd restarts with the identity of the store"))

        try box.start()
        #expect(try box.app("LUMENTV").call("checkAuthentication")["authenticated"] == .bool(!logsOut))
    }

    private func logIn(_ box: RunningBox) throws {
        let app = try box.app("LUMENTV")
        try box.logIn(try app.openLogin())
        try app.hearLogin()
    }
}
