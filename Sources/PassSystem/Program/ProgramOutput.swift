// What a program prints when it is run: the whole of it, or by name why not. Nothing of it can hold anybody up for longer
// than its deadline, and it never runs twice at the same time: who asks meanwhile gets the output of the run under way.

import Dispatch
import Glibc
import Synchronization

public final class ProgramOutput: Sendable {
    /// Carries nothing of the output, which may be a secret.
    public enum Fault: Error, Equatable, Sendable {
        case cannotStart(reason: Int32)
        case failed(status: Int32)
        case killed(signal: Int32)
        case empty
        case tooLong(limit: Int)
        case hung(after: Duration)
    }

    public typealias Outcome = Result<[UInt8], Fault>

    private enum State {
        case idle
        case running([CheckedContinuation<Outcome, Never>])
        /// It was killed and is still there: nobody waits for that.
        case lingering
    }

    /// How long a program that was killed may take to be gone before those who wait for it are told.
    private static let dyingTime = Duration.seconds(1)

    public let path: String
    private let limit: Int
    private let deadline: Duration
    private let environment: [String: String]
    private let queue = DispatchQueue(label: "passd.program")
    private let state = Mutex(State.idle)

    /// The path is absolute: nothing is searched for, and no shell reads it.
    public init(
        _ path: String, limit: Int = 16 << 10, deadline: Duration = .seconds(5),
        environment: [String: String] = ProgramEnvironment.inherited()
    ) {
        self.path = path
        self.limit = limit
        self.deadline = deadline
        self.environment = environment
    }

    /// Suspends and never blocks; a caller that goes away does not end the run.
    public func run() async -> Outcome {
        await withCheckedContinuation { caller in
            let isLingering = state.withLock { state in
                switch state {
                case .idle:
                    state = .running([caller])
                    queue.async { self.start() }
                case .running(let callers): state = .running(callers + [caller])
                case .lingering: return true
                }
                return false
            }
            if isLingering { caller.resume(returning: .failure(.hung(after: deadline))) }
        }
    }

    /// How many wait for the run under way.
    var callers: Int {
        state.withLock { state in
            if case .running(let callers) = state { callers.count } else { 0 }
        }
    }

    /// On the queue, whose thread waits.
    private func start() {
        let child: ChildProgram
        do throws(Fault) { child = try ChildProgram(path, environment) } catch {
            return land(.failure(error), .idle)
        }
        let output = child.output(limit: limit, within: deadline)
        child.endGroup()
        if child.hasEnded(within: Self.dyingTime) {
            land(Self.outcome(output, child.reap()), .idle)
        } else {
            land(Self.outcome(output, nil), .lingering)
            _ = child.reap()
            land(.failure(.hung(after: deadline)), .idle)
        }
    }

    private static func outcome(_ output: Outcome, _ ending: ChildProgram.Ending?) -> Outcome {
        guard case .success(let bytes) = output else { return output }
        switch ending {
        case .status(0): return bytes.isEmpty ? .failure(.empty) : output
        case .status(let status): return .failure(.failed(status: status))
        case .signal(let signal): return .failure(.killed(signal: signal))
        case nil: return .failure(.cannotStart(reason: ECHILD))
        }
    }

    private func land(_ outcome: Outcome, _ next: State) {
        let callers = state.withLock { state in
            defer { state = next }
            if case .running(let callers) = state { return callers }
            return []
        }
        for caller in callers { caller.resume(returning: outcome) }
    }
}
