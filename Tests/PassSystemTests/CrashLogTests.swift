// Tests how the lines that passd.service writes after crashes are read.

import Glibc
import PassTestTools
import Testing

@testable import PassSystem

@Suite("operations.md §3: crashes before this start") struct CrashLogTests {
    @Test(arguments: [
        ("1732700000 signal SEGV", "SEGV"), ("1732700000 core-dump ABRT", "ABRT"),
        ("1732700000 signal RTMIN+3", "signal"),
        ("1732700000 exit-code 1", "exit"), ("1732700000 watchdog ABRT", "watchdog"),
        ("1732700000 timeout KILL", "timeout"), ("1732700000 oom-kill KILL", "oom-kill"),
        ("1732700000 protocol 0", "other"),
    ])
    func `a line has the time and the cause`(_ line: String, _ cause: String) {
        let folder = TemporaryDirectory()
        let path = folder.write(Array("\(line)\n".utf8), to: "crashes")
        #expect(CrashLog.read(path) == [Crash(time: 1_732_700_000, cause: cause)])
    }

    @Test(arguments: [
        "", "\n\n", "x signal SEGV\n", "-1 signal SEGV\n", "99999999999999999999 signal SEGV\n", "1 signal\n",
        "1 signal SEGV more\n", "\u{0}\u{0}\u{0}\n",
    ])
    func `other lines are ignored`(_ text: String) {
        let folder = TemporaryDirectory()
        let path = folder.write(Array((text + "5 signal ILL\n").utf8), to: "crashes")
        #expect(CrashLog.read(path) == [Crash(time: 5, cause: "ILL")])
    }

    @Test func `a line that was cut by a power failure is ignored`() {
        let folder = TemporaryDirectory()
        let path = folder.write(Array("5 signal ILL\n17327".utf8), to: "crashes")
        #expect(CrashLog.read(path) == [Crash(time: 5, cause: "ILL")])
    }

    @Test func `without a file there were no crashes`() {
        #expect(CrashLog.read(TemporaryDirectory().path + "/crashes").isEmpty)
    }

    @Test func `a file that is too long counts as empty`() {
        let folder = TemporaryDirectory()
        let line = Array("5 signal ILL\n".utf8)
        let path = folder.write(Array([[UInt8]](repeating: line, count: 100_000).joined()), to: "crashes")
        #expect(CrashLog.read(path).isEmpty)
    }

    @Test func `a folder or a pipe with that name does no harm`() {
        let folder = TemporaryDirectory()
        mkfifo(folder.path + "/pipe", 0o600)
        #expect(CrashLog.read(folder.path + "/pipe").isEmpty)
        #expect(CrashLog.read(folder.path).isEmpty)
    }
}
