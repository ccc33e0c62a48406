// Tests programs that communicate in lines: their output, their end, and that they leave nothing behind.

import Glibc
import PassTestTools
import Synchronization
import Testing

@testable import PassSystem

/// Part of a serialized suite: a script that is still being written cannot be run while another test starts a program.
extension ProgramOutputTests {
    @Suite("programs with line input and output") struct LineProgramTests {
        private final class Heard: Sendable {
            private let events = Mutex<[LineProgram.Event]>([])

            func append(_ event: LineProgram.Event) { events.withLock { $0.append(event) } }

            var lines: [String] {
                events.withLock { events in
                    events.compactMap { event in
                        if case .line(let bytes) = event { String(decoding: bytes, as: UTF8.self) } else { nil }
                    }
                }
            }

            var endings: [LineProgram.Ending] {
                events.withLock { events in
                    events.compactMap { event in if case .over(let ending) = event { ending } else { nil } }
                }
            }

            /// The ending, which is the last event.
            func ending() async -> LineProgram.Ending? {
                await eventually { !endings.isEmpty }
                return events.withLock { if case .over(let ending)? = $0.last { ending } else { nil } }
            }
        }

        private let folder: TemporaryDirectory
        private let heard = Heard()

        init() throws {
            // The daemon ignores SIGPIPE too.
            signal(SIGPIPE, SIG_IGN)
            folder = TemporaryDirectory()
        }

        private func program(_ lines: String, _ adjust: (inout LineProgram.Limits) -> Void = { _ in }) -> LineProgram {
            let path = folder.write(Array("#!/bin/sh\n\(lines)\n".utf8), to: "program")
            chmod(path, 0o700)
            var limits = LineProgram.Limits()
            limits.grace = .seconds(60)
            adjust(&limits)
            return LineProgram(path, limits: limits) { [heard] in heard.append($0) }
        }

        private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

        @Test func `a program reads lines and answers each`() async {
            let program = program("while read -r line; do echo \"<$line>\"; done; echo bye")
            for round in 1...3 {
                #expect(program.say(bytes("line \(round)")))
                await eventually { heard.lines.count == round }
            }
            program.end()
            #expect(await heard.ending() == .status(0))
            #expect(heard.lines == ["<line 1>", "<line 2>", "<line 3>", "bye"])
            #expect(heard.endings.count == 1)
        }

        @Test(arguments: [
            ("echo one; echo; printf 'two\\nthree\\nhalf'", LineProgram.Ending.status(0), ["one", "two", "three"]),
            ("echo one; exit 3", .status(3), ["one"]), ("echo one; kill -KILL $$", .signal(SIGKILL), ["one"]),
            ("echo err >&2; echo out", .status(0), ["out"]),
        ]) func `output before the end is read, but half a line is not`(
            script: String, ending: LineProgram.Ending, lines: [String]
        ) async {
            let program = program(script)
            #expect(await heard.ending() == ending)
            #expect(heard.lines == lines)
            #expect(program.say(bytes("too late")))
        }

        @Test(arguments: [
            ("head -c 70000 /dev/zero | tr '\\0' x; read -r never", LineProgram.Ending.lineTooLong(limit: 64 << 10)),
            ("head -c 65536 /dev/zero | tr '\\0' x; echo; exit 0", .status(0)), ("yes", .tooMuch),
            ("trap '' TERM INT; yes '' ; sleep 600", .tooMuch),
            ("yes $(head -c 9000 /dev/zero | tr '\\0' x)", .tooMuch),
        ]) func `a program with too much output is ended`(script: String, ending: LineProgram.Ending) async {
            let program = program(script)
            #expect(await heard.ending() == ending)
            program.kill()
        }

        @Test func `after a line of input a program may write the same amount again`() async {
            let program = program("while read -r line; do seq 1 200; done")
            for round in 1...5 {
                #expect(program.say(bytes("more")))
                await eventually { heard.lines.count == 200 * round }
            }
            program.end()
            #expect(await heard.ending() == .status(0))
        }

        @Test func `unread input of a program is limited`() async {
            let program = program("exec sleep 600") { $0.unreadBytes = 4 * 64 << 10 }
            let line = [UInt8](repeating: 0x78, count: 64 << 10)
            #expect(!program.say(line + [0x78]), "one line alone")
            var told = 0
            while program.say(line), told < 1000 { told += 1 }
            // The number fits the limit and the size of a pipe on this system.
            #expect((3...40).contains(told))
            program.kill()
            #expect(await heard.ending() == .signal(SIGKILL))
        }

        @Test(arguments: [
            ("cat >/dev/null; echo bye", LineProgram.Ending.status(0)), ("exec sleep 600", .signal(SIGTERM)),
            ("trap '' TERM; echo deaf; while :; do sleep 600; done", .signal(SIGKILL)),
        ]) func `a stopped program gets the end of its input, then SIGTERM, then SIGKILL`(
            script: String, ending: LineProgram.Ending
        ) async throws {
            let pid = folder.path + "/pid"
            let program = program("sleep 600 & echo $! > \(pid); echo ready\n\(script)") {
                if ending != .status(0) { $0.grace = .seconds(1) }
            }
            await eventually { heard.lines.contains(script.contains("deaf") ? "deaf" : "ready") }
            program.end()
            #expect(await heard.ending() == ending)
            try await expectGone(pid)
        }

        @Test func `killing a program also ends the processes that it has started`() async throws {
            let pid = folder.path + "/pid"
            let program = program("trap '' TERM; sleep 600 & echo $! > \(pid); echo ready; while :; do sleep 600; done")
            await eventually { heard.lines == ["ready"] }
            program.kill()
            #expect(await heard.ending() == .signal(SIGKILL))
            try await expectGone(pid)
        }

        @Test func `a program that closes its output is asked to end`() async {
            let program = program("exec >&-; cat >/dev/null; exit 4")
            #expect(await heard.ending() == .status(4))
            program.kill()
        }

        @Test func `a line to a program that has closed its input is lost`() async {
            let program = program("exec <&-; echo closed; exec sleep 600") { $0.grace = .seconds(1) }
            await eventually { heard.lines == ["closed"] }
            #expect(program.say(bytes("hello")))
            program.end()
            #expect(await heard.ending() == .signal(SIGTERM))
        }

        @Test func `a program that has ended counts as ended, even if a child keeps its output open`() async throws {
            let pid = folder.path + "/pid"
            let program = program("sleep 600 & echo $! > \(pid); echo last")
            #expect(await heard.ending() == .status(0))
            #expect(heard.lines == ["last"])
            try await expectGone(pid)
            program.kill()
        }

        @Test func `if a program cannot be started, the reason is reported`() async {
            let program = LineProgram(folder.path + "/missing") { [heard] in heard.append($0) }
            #expect(await heard.ending() == .cannotStart(reason: ENOENT))
            #expect(program.say(bytes("hello")))
            program.end()
        }

        @Test func `a kill before the start takes effect`() async {
            let program = program("exec sleep 600")
            program.kill()
            #expect(await heard.ending() == .signal(SIGKILL))
        }

        @Test func `neither a child process nor a descriptor is left`() async throws {
            let before = try descriptors()
            for script in ["echo a", "exit 1", "yes", "exec >&-; exec sleep 600", "exec sleep 600"] {
                let round = Heard()
                let path = folder.write(Array("#!/bin/sh\n\(script)\n".utf8), to: "program")
                chmod(path, 0o700)
                var limits = LineProgram.Limits()
                limits.grace = .milliseconds(50)
                let program = LineProgram(path, limits: limits) { round.append($0) }
                _ = program.say(bytes("hello"))
                program.end()
                _ = await round.ending()
            }
            var facts = siginfo_t()
            _ = waitid(P_ALL, 0, &facts, WEXITED | WNOHANG | WNOWAIT)
            #expect(facts.si_signo == 0)
            await eventually { (try? descriptors()).map { $0.subtracting(before).isEmpty } ?? false }
        }

        @Test func `the pause grows to a minute, and starts again after success`() {
            var pause = RestartPause()
            #expect(pause.rest(at: .zero) == nil)
            var moment = Duration.zero
            for seconds in [1, 2, 4, 8, 16, 32, 60, 60] {
                pause.failed(at: moment)
                #expect(pause.rest(at: moment) == .seconds(seconds))
                moment += .seconds(seconds)
                #expect(pause.rest(at: moment) == nil)
            }
            pause.didWell()
            pause.failed(at: moment)
            #expect(pause.rest(at: moment) == .seconds(1))
        }

        /// The pipes that this process has open.
        private func descriptors() throws -> Set<String> {
            let folder = try #require(opendir("/proc/self/fd"))
            defer { closedir(folder) }
            var found: Set<String> = []
            while let entry = readdir(folder) {
                let name = withUnsafeBytes(of: entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
                var target = [CChar](repeating: 0, count: 256)
                let count = readlink("/proc/self/fd/" + name, &target, target.count)
                let text = String(decoding: target.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
                if text.hasPrefix("pipe:") || text.contains("pidfd") { found.insert(name + text) }
            }
            return found
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
}
