// Tests the line that a crash of the daemon leaves. scripts/where finds the source from that line.

import FoundationEssentials
import Glibc
import PassTestTools
import Testing

@Suite struct CrashReportTests {
    @Test(arguments: [("SEGV", SIGSEGV), ("ILL", SIGILL), ("ABRT", SIGABRT)])
    func `a crash in a thread leaves one line, and its addresses lead to the source`(
        name: String, signal: Int32
    ) throws {
        let box = try RunningBox()
        // This thread waits in the daemon's own code, below a call of the C library.
        let thread = try #require(try self.thread("passd.tasks", of: box.daemon.id))
        #expect(try send(signal, to: thread, of: box.daemon.id) == 0)
        #expect(try box.daemon.wait().status == -signal)

        let lines = box.daemon.errors.split(separator: "\n").filter { $0.contains("crashed") }
        let line = try #require(lines.first)
        #expect(lines.count == 1)
        #expect(line.hasPrefix("<3>the daemon crashed with SIG\(name), which another process sent; build "), "\(line)")
        let parts = line.split(separator: "; ")
        let build = try #require(parts.dropFirst().first).dropFirst("build ".count)
        let version = try ChildProcess.run([RunningBox.builds + "passd", "--version"]).output
        #expect(version.hasSuffix("build \(build))\n"))
        let addresses = try #require(parts.last).split(separator: " ").map(String.init)
        #expect(addresses.allSatisfy { $0 == "?" || $0.contains("+0x") }, "\(addresses)")

        let place = try ChildProcess.run([scripts + "where", String(build)] + addresses)
        #expect(place.status == 0, "\(place)")
        #expect(place.output.contains("SystemThread.swift"), "\(place)")

        try box.start()
        #expect(try box.stop().status == 0)
    }

    static let unknown: [([String], Int32)] = [
        ([], 64), (["12"], 64), (["NOT-AN-ID", "0x1"], 64), (["00112233445566778899aabbccddeeff00112233", "0x1"], 69),
    ]

    @Test(arguments: unknown)
    func `where refuses unknown words`(words: [String], status: Int32) throws {
        let ending = try ChildProcess.run([scripts + "where"] + words)
        #expect(ending.status == status)
        #expect(ending.output.isEmpty)
        #expect(ending.errors.hasPrefix("where: ") || ending.errors.hasPrefix("usage: "), "\(ending.errors)")
    }

    private let scripts = #filePath.dropLast("Tests/EndToEnd/Daemon/CrashReportTests.swift".count) + "scripts/"

    /// Signals one thread. For a signal to the whole process, the kernel would choose the main thread. Glibc's module
    /// does not declare the function.
    private func send(_ signal: Int32, to thread: Int32, of process: Int32) throws -> Int32 {
        typealias Call = @convention(c) (Int32, Int32, Int32) -> Int32
        let symbol = try #require(dlsym(nil, "tgkill"))
        return unsafeBitCast(symbol, to: Call.self)(process, thread, signal)
    }

    private func thread(_ name: String, of process: Int32) throws -> Int32? {
        let tasks = "/proc/\(process)/task"
        return try FileManager.default.contentsOfDirectory(atPath: tasks).first { task in
            (try? String(contentsOfFile: "\(tasks)/\(task)/comm", encoding: .utf8)) == name + "\n"
        }.flatMap(Int32.init)
    }
}
