// The loop of `LineProgram`. The loop reads and writes until the program has ended. Then it takes the program's exit status.
// Owned by the thread that runs it.

import Glibc

struct LineExchange {
    private enum Phase {
        case talking
        /// The program's input is closed. If the program still runs at the time `until`, it gets the signal `then`.
        case leaving(until: Duration, then: Int32)
        case killed
    }

    private static let chunk = 16 << 10

    private let child: ChildProgram
    private let limits: LineProgram.Limits
    private let bell: Int32
    private let hear: ([UInt8]) -> Void
    private var phase = Phase.talking
    private var unread: [UInt8] = []
    private var lines: ProgramLines
    private var fault: LineProgram.Ending?

    init(_ child: ChildProgram, _ limits: LineProgram.Limits, bell: Int32, hear: @escaping ([UInt8]) -> Void) {
        self.child = child
        self.limits = limits
        self.bell = bell
        self.hear = hear
        lines = ProgramLines(limits)
    }

    /// Runs the loop to its end. `news` is called with the number of bytes that the program has not read yet. `news` returns
    /// new text for the program, and an order, such as to end the program.
    mutating func run(_ news: (Int) -> (text: [UInt8], order: LineProgram.Order)) -> LineProgram.Ending {
        while true {
            // This check comes before the reading, so that everything printed before the program's end is read.
            let isOver = child.hasEnded
            read()
            if isOver { break }
            silence()
            let (text, order) = news(unread.count)
            take(text)
            obey(order)
            write()
            child.wait(waitLimit, also: bell, toWrite: !unread.isEmpty)
        }
        child.endGroup()
        let ending = child.reap()
        if let fault { return fault }
        switch ending {
        case .status(let status): return .status(status)
        case .signal(let signal): return .signal(signal)
        case nil: return .cannotStart(reason: ECHILD)
        }
    }

    private mutating func take(_ text: [UInt8]) {
        guard !text.isEmpty, case .talking = phase else { return }
        unread += text
        lines.renewAllowance()
    }

    private mutating func obey(_ order: LineProgram.Order) {
        switch (order, phase) {
        case (.die, .talking), (.die, .leaving): die()
        case (.endItself, .talking): leave()
        case (_, .leaving(let end, let signal)) where BootClock.now >= end:
            guard signal == SIGTERM else { return die() }
            child.endGroup(SIGTERM)
            phase = .leaving(until: BootClock.now + limits.grace, then: SIGKILL)
        default: break
        }
    }

    private mutating func leave() {
        // Writes as much as the pipe accepts now, because the last line may be a goodbye.
        write()
        unread = []
        child.closeInput()
        phase = .leaving(until: BootClock.now + limits.grace, then: SIGTERM)
    }

    private mutating func die() {
        unread = []
        child.closeInput()
        child.closeOutput()
        child.endGroup()
        phase = .killed
    }

    private mutating func write() {
        while !unread.isEmpty {
            // If the program has closed its input, the unread text is dropped.
            guard let count = child.write(unread[...]) else { return unread = [] }
            guard count > 0 else { return }
            unread.removeFirst(count)
        }
    }

    /// Reads all available output. `lines` limits the amount.
    private mutating func read() {
        while fault == nil, !isKilled {
            guard let bytes = child.read(limit: Self.chunk) else {
                // A program that has closed its output cannot answer any more, so its input is closed too.
                if case .talking = phase { leave() }
                return
            }
            if bytes.isEmpty { return }
            if let fault = lines.take(bytes, hear: hear) { fail(fault) }
        }
    }

    private mutating func fail(_ ending: LineProgram.Ending) {
        if fault == nil { fault = ending }
        die()
    }

    private var isKilled: Bool { if case .killed = phase { true } else { false } }

    private var waitLimit: Duration {
        switch phase {
        case .talking: .seconds(3600)
        case .leaving(let end, _): max(.zero, end - BootClock.now)
        case .killed: .seconds(3600)
        }
    }

    /// Empties the pipe `bell`. The bytes in this pipe have no meaning, because they only wake the loop.
    private func silence() {
        var buffer = [UInt8](repeating: 0, count: 64)
        while Glibc.read(bell, &buffer, buffer.count) > 0 {}
    }
}
