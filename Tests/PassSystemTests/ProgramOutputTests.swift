// Tests programs of all kinds: their output, and that none of them blocks the caller.

import Glibc
import PassTestTools
import Synchronization
import Testing

@testable import PassSystem

/// Serialized: a script that is still being written cannot be run while another test starts a program.
@Suite("the output of programs", .serialized) struct ProgramOutputTests {
    private let folder: TemporaryDirectory

    init() throws { folder = TemporaryDirectory() }

    private func script(_ lines: String, name: String = "program") -> String {
        let path = folder.write(Array("#!/bin/sh\n\(lines)\n".utf8), to: name)
        chmod(path, 0o700)
        return path
    }

    private func program(_ lines: String, within time: Duration = .seconds(60)) -> ProgramOutput {
        ProgramOutput(script(lines), deadline: time)
    }

    private func text(_ outcome: ProgramOutput.Outcome) throws -> String {
        String(decoding: try outcome.get(), as: UTF8.self)
    }

    @Test(arguments: [
        ("echo token", "token\n"), ("printf one; printf two", "onetwo"), ("echo out; echo err >&2", "out\n"),
        ("cat; echo done", "done\n"), ("head -c 16384 /dev/zero | tr '\\0' x", String(repeating: "x", count: 16384)),
    ]) func `the printed text is the output`(lines: String, output: String) async throws {
        #expect(try text(await program(lines).run()) == output)
    }

    @Test(arguments: [
        ("echo token; exit 3", ProgramOutput.Fault.failed(status: 3)), ("exit 0", .empty),
        ("echo token; kill -TERM $$", .killed(signal: SIGTERM)), ("yes", .tooLong(limit: 16 << 10)),
        ("head -c 16385 /dev/zero", .tooLong(limit: 16 << 10)),
        ("trap '' TERM; yes | head -c 20000; sleep 600", .tooLong(limit: 16 << 10)),
    ]) func `each fault has a name`(lines: String, fault: ProgramOutput.Fault) async {
        #expect(await program(lines).run() == .failure(fault))
    }

    @Test(arguments: ["sleep 600", "echo token; sleep 600", "trap '' TERM INT; while :; do sleep 600; done"])
    func `a program that hangs is ended, with all processes that it has started`(lines: String) async throws {
        let pid = folder.path + "/pid"
        let time = Duration.seconds(3)
        let outcome = await program("sleep 600 & echo $! > \(pid); \(lines)", within: time).run()
        #expect(outcome == .failure(.hung(after: time)))
        try await expectGone(pid)
    }

    @Test func `if a child keeps the output open, the caller does not wait, and no process is left`() async throws {
        let pid = folder.path + "/pid"
        let output = try text(await program("sleep 600 & echo $! > \(pid); echo token").run())
        #expect(output == "token\n")
        try await expectGone(pid)
    }

    @Test func `a program that closes its output and continues is ended as well`() async {
        let time = Duration.milliseconds(300)
        #expect(await program("echo token; exec >&-; sleep 600", within: time).run() == .failure(.hung(after: time)))
    }

    @Test func `if a program cannot be started, the reason is reported`() async {
        let missing = ProgramOutput(folder.path + "/missing")
        #expect(await missing.run() == .failure(.cannotStart(reason: ENOENT)))
        let closed = ProgramOutput(folder.write(Array("#!/bin/sh\necho token\n".utf8), to: "closed"))
        #expect(await closed.run() == .failure(.cannotStart(reason: EACCES)))
        let plain = folder.write(Array("echo token\n".utf8), to: "plain")
        chmod(plain, 0o700)
        #expect(await ProgramOutput(plain).run() == .failure(.cannotStart(reason: ENOEXEC)), "no shell reads it")
    }

    @Test func `a program's name is not a command line`() async throws {
        let path = script("echo token", name: "a b; echo x $(id)")
        #expect(try text(await ProgramOutput(path).run()) == "token\n")
    }

    @Test func `a program starts with unblocked signals, in the root directory, and without our descriptors`()
        async throws
    {
        let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
        // A descriptor without the close-on-exec flag.
        let ours = fcntl(null, F_DUPFD, 700)
        close(null)
        defer { close(ours) }
        let output = try text(
            await program(
                "grep -E '^Sig(Blk|Ign)' /proc/self/status; [ -e /proc/$$/fd/\(ours) ] && echo open; pwd"
            ).run())
        #expect(output.contains("SigBlk:\t0000000000000000"))
        // The C library reserves the two signals above 31 for itself.
        let ignored = output.split(separator: "SigIgn:\t").last.flatMap { UInt64($0.prefix(16), radix: 16) }
        #expect(ignored.map { $0 & 0x7FFF_FFFF } == 0)
        #expect(ours >= 700 && !output.contains("open"))
        #expect(output.hasSuffix("/\n"))
    }

    @Test func `a program gets PATH, but none of our other variables`() async throws {
        setenv("CREDENTIALS_DIRECTORY", "/run/credentials/passd.service", 1)
        setenv("NOTIFY_SOCKET", "/run/systemd/notify", 1)
        defer {
            unsetenv("CREDENTIALS_DIRECTORY")
            unsetenv("NOTIFY_SOCKET")
        }
        let names = try text(await program("env").run()).split(separator: "\n").map { $0.prefix { $0 != "=" } }
        #expect(names.contains("PATH") && names.contains("LANG"))
        // A shell adds these variables itself.
        let known: Set<Substring> = [
            "PATH", "LANG", "HOME", "LOGNAME", "USER", "INVOCATION_ID", "PWD", "SHLVL", "_", "OLDPWD",
        ]
        #expect(Set(names).subtracting(known).isEmpty)
    }

    @Test func `a program runs once at a time, and all callers get the output of that run`() async throws {
        let runs = folder.path + "/runs", gate = folder.path + "/gate"
        #expect(mkfifo(gate, 0o600) == 0)
        let door = open(gate, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        defer { close(door) }
        let program = program("echo run >> \(runs); read line < \(gate); echo token")
        for run in 1...2 {
            let callers = (0..<5).map { _ in Task { await program.run() } }
            await eventually { program.callers == 5 }
            #expect(write(door, "go\n", 3) == 3)
            for caller in callers { #expect(try text(await caller.value) == "token\n") }
            #expect(try readAll(path: runs, limit: 100).count == 4 * run)
        }
    }

    @Test func `no child remains unreaped`() async {
        for lines in ["echo token", "exit 1", "yes"] { _ = await program(lines).run() }
        _ = await program("sleep 600", within: .milliseconds(100)).run()
        var facts = siginfo_t()
        _ = waitid(P_ALL, 0, &facts, WEXITED | WNOHANG | WNOWAIT)
        #expect(facts.si_signo == 0)
    }

    /// Expects that the process whose number is in the file is gone.
    private func expectGone(_ file: String) async throws {
        let text = String(decoding: try readAll(path: file, limit: 32), as: UTF8.self)
        let pid = try #require(pid_t(text.filter(\.isNumber)))
        await eventually("something it has started lives on") {
            guard kill(pid, 0) == 0 else { return true }
            // The process may be dead but not yet reaped by init.
            let facts = (try? readAll(path: "/proc/\(pid)/stat", limit: 4096)) ?? []
            return String(decoding: facts, as: UTF8.self).contains(") Z ")
        }
    }
}
