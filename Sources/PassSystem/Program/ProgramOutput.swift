// Runs a program and returns its whole output, or the reason why there is none. The deadline limits how long callers wait.
// There is one run at a time. Callers during a run share its output. May be used from any thread.

import Glibc
import PassThreads
import Synchronization

public final class ProgramOutput: Sendable {
    /// The reason why there is no output. A fault contains no part of the output, which may be a secret.
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
        /// The program was killed and has not ended yet. Callers do not wait for the end.
        case lingering
    }

    /// The max time that callers wait for the end of a killed program.
    private static let dyingTime = Duration.seconds(1)

    public let path: String
    private let limit: Int
    private let deadline: Duration
    private let environment: [String: String]
    private let state = Mutex(State.idle)

    /// Prepares a program. The path has to be absolute. passd searches no directories and uses no shell.
    public init(
        _ path: String, limit: Int = 16 << 10, deadline: Duration = .seconds(5),
        environment: [String: String] = ProgramEnvironment.inherited()
    ) {
        self.path = path
        self.limit = limit
        self.deadline = deadline
        self.environment = environment
    }

    /// Runs the program, or joins the present run. Suspends and never blocks. If a caller is cancelled, the run continues.
    public func run() async -> Outcome {
        await withCheckedContinuation { caller in
            var isFirst = false
            let isLingering = state.withLock { state in
                switch state {
                case .idle:
                    state = .running([caller])
                    isFirst = true
                case .running(let callers): state = .running(callers + [caller])
                case .lingering: return true
                }
                return false
            }
            if isFirst, !SystemThread.start("passd.program", { self.start() }) {
                land(.failure(.cannotStart(reason: EAGAIN)), .idle)
            }
            if isLingering { caller.resume(returning: .failure(.hung(after: deadline))) }
        }
    }

    /// The number of callers that wait for the present run.
    var callers: Int {
        state.withLock { state in
            if case .running(let callers) = state { callers.count } else { 0 }
        }
    }

    /// Runs on a separate thread, and blocks it until the program has ended.
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
