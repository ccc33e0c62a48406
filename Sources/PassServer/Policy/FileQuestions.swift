// Asks file systems on a separate thread, with a timeout, because a file system on another machine or in a process may never
// answer. While a question has no answer, no other question is asked. Ruling 55.

package import AccessEnabler
import PassThreads
import Synchronization

@EngineActor package final class FileQuestions {
    /// The timeout for one file.
    nonisolated private static let timeLimit = Duration.seconds(1)
    /// The max number of timeouts of a question about many files. After a timeout, the question gets more time if it has
    /// reached another file in the meantime.
    nonisolated private static let maxWaits = 10

    @EngineActor private final class Question<Answer> {
        private var tell: ((Answer?) -> Void)?
        var alarm: (any EngineAlarm)?
        var isOpen: Bool { tell != nil }

        init(_ tell: @escaping (Answer?) -> Void) { self.tell = tell }

        func end(_ answer: Answer?) {
            guard let tell else { return }
            self.tell = nil
            alarm?.cancel()
            tell(answer)
        }
    }

    private struct Place {
        var count = 0
        var path: String?
    }

    private let thread: WorkThread<@Sendable () -> Void>
    private let place = Mutex(Place())
    /// Whether a question has timed out and still has no answer.
    private(set) var isStuck = false

    nonisolated package init(_ name: String) { thread = WorkThread(name) { $0() } }

    /// Notes that a question about many files has reached this file.
    nonisolated package func goOn(to path: String) {
        place.withLock { place in
            place.count &+= 1
            place.path = path
        }
    }

    /// The file that the last call of `goOn` named.
    nonisolated package var path: String? { place.withLock(\.path) }

    /// Runs `look` on the thread and waits for the answer. The answer is nil after a timeout, and while an earlier question is
    /// stuck.
    package func answer<Answer: Sendable>(
        by clock: any EngineClock, _ look: @escaping @Sendable () -> Answer
    ) async -> Answer? {
        if isStuck { return nil }
        return await withCheckedContinuation { continuation in
            let question = Question { continuation.resume(returning: $0) }
            wait(for: question, by: clock, times: Self.maxWaits)
            let isAsked = thread.add { [weak self] in
                let answer = look()
                Task { @EngineActor in
                    self?.isStuck = false
                    question.end(answer)
                }
            }
            if !isAsked { question.end(nil) }
        }
    }

    private func wait<Answer: Sendable>(for question: Question<Answer>, by clock: any EngineClock, times: Int) {
        let count = place.withLock(\.count)
        question.alarm = clock.alarm(at: clock.boot.advanced(by: Self.timeLimit)) { [weak self] in
            guard let self, question.isOpen else { return }
            if times > 1, place.withLock(\.count) != count { return wait(for: question, by: clock, times: times - 1) }
            isStuck = true
            question.end(nil)
        }
    }
}
