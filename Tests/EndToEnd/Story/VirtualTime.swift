// The clock of a story's programs. The daemon and the service run with a library (Resources/story-clock.c) between them
// and their C library, so that their clocks are stopped until the test moves them.
//
// A busy machine does not matter. Time moves only while every thread of every program sleeps, and then exactly to the
// next moment that a program waits for: a time limit, a pause, the next poll. However long a program takes to get its
// turn on the processor, no time passes meanwhile. So a wait, measured on this clock, is made of nothing but what the
// programs decided to wait for.

import FoundationEssentials
import Glibc
import PassTestTools

final class VirtualTime {
    /// The programs that have this clock. The number is their slot in the page.
    enum Program: Int, CaseIterable { case service, daemon }

    /// The layout of the page, as in the library.
    private enum Place {
        static let now = 0
        static func wall(_ program: Program) -> Int { 8 + program.rawValue * 16 }
        static func next(_ program: Program) -> Int { wall(program) + 8 }
    }

    private static let library = Result {
        let folder = TemporaryDirectory()
        let made = try ChildProcess.run([
            "cc", "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o", folder.file("clock.so"),
            repository + "Tests/EndToEnd/Resources/story-clock.c", "-ldl", "-lpthread",
        ])
        try made.requireSuccess()
        return folder
    }

    private let library: TemporaryDirectory
    private let folder = TemporaryDirectory()
    private var buffer = [UInt8](repeating: 0, count: 8192)
    private let page: UnsafeMutableRawPointer
    private var pipes: [Program: Int32] = [:]
    /// The processes that must sleep before time moves.
    var processes: [Program: ChildProcess] = [:]

    /// `date` is the initial time of the wall clocks.
    init(date: Int64) throws {
        library = try Self.library.get()
        let file = open(folder.write([UInt8](repeating: 0, count: 4096), to: "page"), O_RDWR | O_CLOEXEC)
        defer { close(file) }
        guard let mapped = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), mapped != MAP_FAILED else {
            throw TestFailure("no page: \(String(cString: strerror(errno)))")
        }
        page = mapped
        for program in Program.allCases {
            let path = folder.file("\(program)")
            mkfifo(path, 0o600)
            pipes[program] = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
            page.storeBytes(of: Int64.max, toByteOffset: Place.next(program), as: Int64.self)
        }
        page.storeBytes(of: 1_000_000_000, toByteOffset: Place.now, as: Int64.self)
        for program in Program.allCases { set(program, to: date) }
    }

    deinit {
        for pipe in pipes.values { close(pipe) }
        munmap(page, 4096)
    }

    func environment(_ program: Program) -> [String: String] {
        [
            "LD_PRELOAD": library.file("clock.so"), "STORY_PAGE": folder.file("page"),
            "STORY_PIPE": folder.file("\(program)"), "STORY_SLOT": "\(program.rawValue)",
        ]
    }

    /// Time since the boot.
    var now: Duration { .nanoseconds(page.load(fromByteOffset: Place.now, as: Int64.self)) }

    /// The program's wall clock, in milliseconds since 1970.
    func date(_ program: Program) -> Int64 {
        let wall = page.load(fromByteOffset: Place.wall(program), as: Int64.self)
        return (wall + page.load(fromByteOffset: Place.now, as: Int64.self)) / 1_000_000
    }

    /// Sets the wall clock of a program, as a person or a time server does.
    func set(_ program: Program, to date: Int64) {
        let now = page.load(fromByteOffset: Place.now, as: Int64.self)
        page.storeBytes(of: date * 1_000_000 - now, toByteOffset: Place.wall(program), as: Int64.self)
    }

    /// Moves the time to the next moment that a program waits for, but not past `end`. Call this only while all threads
    /// sleep.
    func step(until end: Duration) {
        let next =
            Program.allCases.filter { processes[$0]?.hasEnded == false }
            .map { page.load(fromByteOffset: Place.next($0), as: Int64.self) }.min() ?? .max
        let moment = max(now, min(end, .nanoseconds(next)))
        page.storeBytes(
            of: moment.components.seconds * 1_000_000_000 + moment.components.attoseconds / 1_000_000_000,
            toByteOffset: Place.now, as: Int64.self)
        for pipe in pipes.values {
            // A full pipe wakes the reader, too.
            var bell: UInt8 = 0
            write(pipe, &bell, 1)
        }
    }

    /// Whether every thread sleeps, and none has run during the check. Then at one moment all of them slept, and no
    /// message was on its way. The check repeats several times, because the kernel itself may deliver messages late.
    var isQuiet: Bool {
        guard let first = switches() else { return false }
        for _ in 0..<4 {
            var pause = timespec(tv_sec: 0, tv_nsec: 500_000)
            nanosleep(&pause, nil)
            guard switches() == first else { return false }
        }
        return true
    }

    /// The state and the number of turns of each thread; nil if one runs now.
    private func switches() -> [[UInt8]]? {
        var all: [[UInt8]] = []
        for process in processes.values where !process.hasEnded {
            let folder = "/proc/\(process.id)/task"
            guard let threads = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return nil }
            for thread in threads.sorted() {
                guard let turns = turns("\(folder)/\(thread)/status") else { return nil }
                all += [Array(thread.utf8), turns]
            }
        }
        return all
    }

    /// The last lines of the file say how often the thread has run. Nil if it runs or is gone.
    private func turns(_ path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        let count = read(file, &buffer, buffer.count)
        guard count > 0 else { return nil }
        let text = buffer[..<count]
        guard let state = text.firstRange(of: Array("State:\t".utf8)), [0x53, 0x54].contains(text[state.upperBound]),
            let turns = text.firstRange(of: Array("\nvoluntary_ctxt_switches".utf8))
        else { return nil }
        return Array(text[turns.lowerBound...])
    }
}
