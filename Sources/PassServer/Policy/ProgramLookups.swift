// Finds out whether a process runs the program that a rule names. That asks the file system of the program, which may
// belong to another machine or to a process, and may never answer. So it is asked on a thread of its own, for a second;
// without an answer the program is not known. While a file system does not answer, no other question is asked. Ruling 55.

import AccessEnabler
import PassSystem
import PassThreads

@EngineActor package final class ProgramLookups {
    nonisolated static let patience = Duration.seconds(1)

    @EngineActor private final class Question {
        private var tell: ((Bool) -> Void)?
        var alarm: (any EngineAlarm)?

        init(_ tell: @escaping (Bool) -> Void) { self.tell = tell }

        /// Returns whether it was still open.
        @discardableResult func end(_ isTrue: Bool) -> Bool {
            guard let tell else { return false }
            self.tell = nil
            alarm?.cancel()
            tell(isTrue)
            return true
        }
    }

    private let look: @Sendable (ProgramClaim) -> Bool
    private let thread = WorkThread<@Sendable () -> Void>("passd.programs") { $0() }
    /// Whether a question was given up and its file system has not answered since.
    private(set) var isStuck = false

    nonisolated package init(_ look: @escaping @Sendable (ProgramClaim) -> Bool = { $0.isTrue() }) { self.look = look }

    /// Calls `tell` once, with false if the claim is not true or cannot be checked in time.
    func check(_ claim: ProgramClaim, by clock: any EngineClock, _ tell: @escaping (Bool) -> Void) {
        guard !isStuck else { return tell(false) }
        let question = Question(tell)
        question.alarm = clock.alarm(at: clock.boot.advanced(by: Self.patience)) { [weak self] in
            if question.end(false) { self?.isStuck = true }
        }
        let isAsked = thread.add { [weak self, look] in
            let isTrue = look(claim)
            Task { @EngineActor in
                self?.isStuck = false
                question.end(isTrue)
            }
        }
        if !isAsked { question.end(false) }
    }

    /// The path of the claim if it is true.
    func path(_ claim: ProgramClaim, by clock: any EngineClock) async -> String? {
        let isTrue = await withCheckedContinuation { continuation in
            check(claim, by: clock) { continuation.resume(returning: $0) }
        }
        return isTrue ? claim.path : nil
    }

    /// The program of a process that need not be connected.
    func executable(of process: Int32, by clock: any EngineClock) async -> String? {
        guard let claim = ProgramClaim(of: process) else { return nil }
        return await path(claim, by: clock)
    }
}
