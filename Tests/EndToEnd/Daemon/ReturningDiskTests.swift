// Tests a disk that cannot be read at the start, and returns while passd runs with another identity.

import FoundationEssentials
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
        try loseDisk(box)
        let app = try box.app("LUMENTV")
        #expect(try app.call("checkAuthentication")["authenticated"] == false)
        if logsOut {
            try box.cli(["logout", "--all"]).requireSuccess()
        } else {
            try logIn(box)
            let other = try box.app("SUMMITTV")
            try box.logIn(try other.openLogin("AlpenTel"), "AlpenTel", "heidi", "geissli")
            try other.hearLogin()
        }
        try returnDisk(box)
        #expect(try box.app("LUMENTV").call("checkAuthentication")["authenticated"] == .bool(!logsOut))
        #expect(try box.app("SUMMITTV").call("checkAuthentication")["authenticated"] == false)
    }

    @Test func `damage to the store on the disk is reported before the restart`() throws {
        let box = try RunningBox()
        try logIn(box)
        try loseDisk(box)
        let store = URL(filePath: box.scratch.file("state/passd.db"))
        var bytes = Array(try Data(contentsOf: store))
        bytes[68] ^= 0x10
        try Data(bytes).write(to: store)
        #expect(try returnDisk(box).contains("The store was damaged"))
        #expect(try box.app("LUMENTV").call("checkAuthentication")["authenticated"] == true)
        #expect(try box.cli(["doctor", "--offline"]).output.contains("set aside"))
    }

    private func loseDisk(_ box: RunningBox) throws {
        try box.stop().requireSuccess()
        let salt = box.scratch.file("state/salt")
        try #require(rename(salt, salt + ".away") == 0 && symlink("/nowhere", salt) == 0)
        try box.start()
    }

    /// Returns the last records of the process that ends, when the next one runs.
    @discardableResult private func returnDisk(_ box: RunningBox) throws -> String {
        let salt = box.scratch.file("state/salt")
        unlink(salt)
        try #require(rename(salt + ".away", salt) == 0)
        // This writes to the store.
        _ = try? box.app("NEWS24").call("getAuthentication")
        let ending = try box.daemon.wait()
        #expect(ending.status == 75 && ending.errors.contains("passd restarts with the identity of the store"))
        try box.start()
        return ending.errors
    }

    private func logIn(_ box: RunningBox) throws {
        let app = try box.app("LUMENTV")
        try box.logIn(try app.openLogin())
        try app.hearLogin()
    }
}
