// The loop behind a program that is spoken to by lines: reads, writes and waits until the program has ended, by itself or
// by us, and leaves neither a process nor a descriptor. Owned by the thread that runs it.

import Glibc

struct LineExchange {
    private enum Phase {
        case talking
        /// Its input is closed; at the moment given it gets the signal.
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

    /// `news` is told how much of what it has given is unread.
    mutating func run(_ news: (Int) -> (text: [UInt8], order: LineProgram.Order)) -> LineProgram.Ending {
        while true {
            // Looked at before reading: what it has printed by then is there to be read.
            let isOver = child.hasEnded
            read()
            if isOver { break }
            silence()
            let (text, order) = news(unread.count)
            take(text)
            obey(order)
            write()
            child.wait(patience, also: bell, toWrite: !unread.isEmpty)
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
        // What it was told last may be a goodbye; it is written as far as it is read at once.
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
            // Nobody reads: it is about to end, or its deadline will tell.
            guard let count = child.write(unread[...]) else { return unread = [] }
            guard count > 0 else { return }
            unread.removeFirst(count)
        }
    }

    /// All there is; never more than it may say, so that this ends.
    private mutating func read() {
        while fault == nil, !isKilled {
            guard let bytes = child.read(most: Self.chunk) else {
                // Without an output it is of no use.
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

    private var patience: Duration {
        switch phase {
        case .talking: .seconds(3600)
        case .leaving(let end, _): max(.zero, end - BootClock.now)
        case .killed: .seconds(3600)
        }
    }

    /// The bell only wakes.
    private func silence() {
        var buffer = [UInt8](repeating: 0, count: 64)
        while Glibc.read(bell, &buffer, buffer.count) > 0 {}
    }
}
