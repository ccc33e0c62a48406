// Tests files and directories that cannot be read. Each causes a clear message, and no crash. operations.md §2.

import Glibc
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

@Suite struct UnreadableFileTests {
    @Test func `a symlink loop is named`() throws {
        let workspace = Workspace()
        try workspace.link("etc/passd/passd.conf", to: "passd.conf")
        let loaded = workspace.load()
        #expect(
            workspace.problems(loaded) == ["/etc/passd/passd.conf:1: cannot be read: Too many levels of symbolic links"]
        )
        #expect(!loaded.isUsable)
    }

    @Test func `a file that disappears before it is opened is named`() throws {
        let workspace = Workspace()
        // The directory lists the file, but it cannot be opened.
        try workspace.link("etc/passd/passd.conf.d/a.conf", to: "/nowhere/at/all")
        #expect(
            workspace.problems(workspace.load()) == [
                "/etc/passd/passd.conf.d/a.conf:1: cannot be read: No such file or directory"
            ])
    }

    @Test func `a directory that cannot be listed is named`() throws {
        let workspace = Workspace()
        try workspace.write("etc/passd/passd.conf.d", "I am a file")
        let loaded = workspace.load()
        #expect(workspace.problems(loaded) == ["/etc/passd/passd.conf.d:1: cannot be read: Not a directory"])
        #expect(!loaded.isUsable)
    }

    @Test func `a directory instead of a file is named`() throws {
        let workspace = Workspace()
        try workspace.makeDirectory("etc/passd/passd.conf")
        #expect(workspace.problems(workspace.load()) == ["/etc/passd/passd.conf:1: is not a regular file"])
    }

    @Test func `a pipe is named, and the daemon does not wait for it`() throws {
        let workspace = Workspace()
        try workspace.makeDirectory("etc/passd")
        #expect(mkfifo(workspace.file("etc/passd/passd.conf"), 0o600) == 0)
        #expect(workspace.problems(workspace.load()) == ["/etc/passd/passd.conf:1: is not a regular file"])
    }

    @Test func `an endless device is named`() throws {
        let workspace = Workspace()
        try workspace.link("etc/passd/passd.conf", to: "/dev/zero")
        #expect(workspace.problems(workspace.load()) == ["/etc/passd/passd.conf:1: is not a regular file"])
    }

    @Test func `a file over 1 MiB is named`() throws {
        let workspace = Workspace()
        try workspace.write("etc/passd/passd.conf", bytes: [UInt8](repeating: 0x0A, count: (1 << 20) + 1))
        #expect(workspace.problems(workspace.load()) == ["/etc/passd/passd.conf:1: is larger than 1048576 bytes"])
        try workspace.write("etc/passd/passd.conf", bytes: [UInt8](repeating: 0x0A, count: 1 << 20))
        #expect(workspace.load().isGood)
    }

    @Test func `more than 256 files are named`() throws {
        let workspace = Workspace()
        for number in 1000..<1257 { try workspace.write("etc/passd/passd.conf.d/\(number).conf", "") }
        #expect(
            workspace.problems(workspace.load()) == [
                "/etc/passd/passd.conf.d/1256.conf:1: there are 257 files, and at most 256 are read; join some, or remove them"
            ])
    }

    @Test func `damage within a file does not hide the rest of the file`() throws {
        let workspace = Workspace()
        try workspace.write("etc/passd/passd.conf", bytes: Array("[backend]\nburst = \0\nprotocol = v1\n".utf8))
        let loaded = workspace.load()
        #expect(workspace.problems(loaded) == ["/etc/passd/passd.conf:2: the line contains a NUL byte"])
        #expect(!loaded.isUsable)
        #expect(loaded.configuration.backend.version == .v1)
    }

    @Test func `with any byte of a configuration damaged, every problem has its line`() throws {
        let workspace = Workspace()
        let good = Array(
            """
            [backend]
            origin = https://api.example
            connect-timeout = 1min 30s
            [device]
            model = "Box # 1"
            [app a]
            requestors = A B
            allow = user:kodi+unit:kodi.service group:video
            may = observe

            """.utf8)
        for place in good.indices {
            for byte: UInt8 in [0x00, 0x0A, 0x22, 0x5B] {
                var text = good
                text[place] = byte
                try workspace.write("etc/passd/passd.conf", bytes: text)
                try workspace.write("etc/passd/apps.d/a.conf", bytes: text)
                let lines = text.count { $0 == 0x0A } + 1
                #expect(workspace.load().problems.allSatisfy { (1...lines).contains($0.place.line) })
            }
        }
    }
}
