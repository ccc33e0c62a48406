// Runs the helper program of the box's own TV account. The first question starts the helper. The helper may have several
// questions at a time. If the helper fails, only the open questions fail. Used on the engine's queue. docs/platform-helper.md.

package import AccessEnabler
import Dispatch
import PassJSON
import PassProtocol
package import PassSystem

@EngineActor package final class PlatformHelper {
    private struct Run {
        let program: LineProgram
        let number: Int
        var introduction: PlatformIntroduction?
        /// The questions that wait for the helper's first message (`hello`).
        var waiting: [Int64] = []
        var hello: (any EngineAlarm)?
        var hasStrangeTypes = false
    }

    private enum State {
        case idle
        case running(Run)
        /// The helper was told to end and is still running.
        case ending(Int)
        case stopped
    }

    private static let maxQuestions = 16

    private let path: String
    private let clock: any EngineClock
    private let deadlines: Deadlines
    private let limits: LineProgram.Limits
    private let trouble: TokenTrouble
    private let note: @Sendable (String) -> Void
    private var state = State.idle
    private var questions: [Int64: PlatformQuestion] = [:]
    private var lastID: Int64 = 0
    private var lastRun = 0
    private var pause = RestartPause()
    private var gone: [CheckedContinuation<Void, Never>] = []

    /// `report` is called once for each new fault. `note` is called for unexpected but harmless events.
    package nonisolated init(
        _ path: String, _ clock: any EngineClock, deadlines: Deadlines = Deadlines(),
        limits: LineProgram.Limits = LineProgram.Limits(), report: @escaping @Sendable (String) -> Void,
        note: @escaping @Sendable (String) -> Void
    ) {
        self.path = path
        self.clock = clock
        self.deadlines = deadlines
        self.limits = limits
        trouble = TokenTrouble(report)
        self.note = note
    }

    deinit { if case .running(let run) = state { run.program.kill() } }

    func permission(
        of app: AppID, mayPrompt: Bool, _ dialog: @escaping @Sendable (PlatformDialog) -> Void = { _ in }
    ) async throws(PlatformFault) -> PlatformPermission {
        try await ask(
            .permission(app, mayPrompt: mayPrompt), within: mayPrompt ? deadlines.viewer : deadlines.silent, dialog)
    }

    func account(
        _ query: PlatformQuery, _ dialog: @escaping @Sendable (PlatformDialog) -> Void
    ) async throws(PlatformFault) -> PlatformAccount {
        let quiet = query.verificationToken == nil ? deadlines.silent : deadlines.proof
        return try await ask(.account(query), within: query.mayInterrupt ? deadlines.viewer : quiet, dialog)
    }

    /// Waits for the helper's `hello`. Starts the helper if necessary.
    package func introduction() async throws(PlatformFault) -> PlatformIntroduction {
        try await ask(.hello, within: deadlines.silent)
    }

    /// Ends the helper permanently. Returns after the helper's end or the deadline.
    package func stop() async {
        let old = state
        state = .stopped
        drop("The daemon is stopping.")
        switch old {
        case .running(let run):
            run.hello?.cancel()
            run.program.end()
        case .ending: break
        case .idle, .stopped: return
        }
        let alarm = clock.alarm(at: clock.boot.advanced(by: deadlines.farewell)) { self.wakeLeavers() }
        await withCheckedContinuation { gone.append($0) }
        alarm.cancel()
    }

    private func wakeLeavers() {
        for leaver in gone { leaver.resume() }
        gone = []
    }

    // MARK: Questions

    private func ask<Answer: Sendable>(
        _ order: PlatformOrder, within time: Duration, _ dialog: (@Sendable (PlatformDialog) -> Void)? = nil
    ) async throws(PlatformFault) -> Answer {
        lastID += 1
        let id = lastID
        let outcome: PlatformQuestion.Outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { caller in
                let question = PlatformQuestion(order, caller: caller, dialog: dialog)
                if let reason = open(question, id: id, time: time) {
                    question.end(.failure(.unavailable(reason)))
                }
            }
        } onCancel: {
            EngineActor.queue.async {
                EngineActor.assumeIsolated { self.withdraw(id, "The request was cancelled.") }
            }
        }
        guard let answer = try outcome.get() as? Answer else {
            throw .unavailable("The helper answered a different question.")
        }
        return answer
    }

    /// Registers the question. If the helper cannot get the question, returns the reason.
    private func open(_ question: PlatformQuestion, id: Int64, time: Duration) -> String? {
        guard !Task.isCancelled else { return "The request was cancelled." }
        guard questions.count < Self.maxQuestions else { return "The helper has too many open requests." }
        var run: Run
        switch state {
        case .running(let current): run = current
        case .idle:
            if let rest = pause.rest(at: boot) {
                return "The helper failed; it is started again in \(rest.inWords)."
            }
            run = start()
        case .ending: return "The helper is about to end."
        case .stopped: return "The daemon is stopping."
        }
        questions[id] = question
        question.alarm = alarm(after: time) { $0.withdraw(id, "The helper did not answer within \(time.inWords).") }
        switch (run.introduction, question.order) {
        case (let introduction?, .hello): answer(id, .success(introduction))
        case (nil, _):
            run.waiting.append(id)
            state = .running(run)
        case (_, let order): tell(order, id: id, run: run)
        }
        return nil
    }

    /// Fails the question at once. If the helper has received the question, its late answer is awaited and dropped.
    private func withdraw(_ id: Int64, _ reason: String) {
        guard let question = questions[id], question.isOpen else { return }
        question.end(.failure(.unavailable(reason)))
        guard case .running(var run) = state else { return }
        if run.introduction == nil {
            questions[id] = nil
            run.waiting.removeAll { $0 == id }
            state = .running(run)
            return
        }
        question.alarm = alarm(after: deadlines.withdrawn) { $0.fail("it does not respond") }
        tell(.cancel, id: id, run: run)
    }

    private func answer(_ id: Int64, _ outcome: PlatformQuestion.Outcome) {
        questions.removeValue(forKey: id)?.end(outcome)
    }

    private func tell(_ order: PlatformOrder, id: Int64, run: Run) {
        if !run.program.say(order.line(id)) { fail("it does not read its input, or a message to it is too long") }
    }

    // MARK: Runs of the helper

    private func start() -> Run {
        lastRun += 1
        let number = lastRun
        let program = LineProgram(path, limits: limits) { [weak self] event in
            Task { @EngineActor in self?.take(event, of: number) }
        }
        var run = Run(program: program, number: number)
        run.hello = alarm(after: deadlines.silent) { $0.fail("it did not say hello") }
        state = .running(run)
        tell(.hello, id: 0, run: run)
        return run
    }

    private func take(_ event: LineProgram.Event, of number: Int) {
        switch (event, state) {
        case (.line(let bytes), .running(let run)) where run.number == number:
            do throws(PlatformLine.Fault) { try take(try PlatformLine.read(bytes), run) } catch {
                fail(error.description)
            }
        case (.over(let ending), .running(let run)) where run.number == number:
            fail(ending.description)
            state = .idle
        case (.over, .ending(number)): state = .idle
        case (.over, .stopped): wakeLeavers()
        default: break
        }
    }

    private func take(_ line: PlatformLine, _ run: Run) throws(PlatformLine.Fault) {
        switch line {
        case .hello(let introduction, let version): try greet(introduction, version: version, run: run)
        case _ where run.introduction == nil:
            throw PlatformLine.Fault(description: "it sent something before hello")
        case .result(let id, let result):
            let question = try question(id)
            answer(id, .success(try question.answer(result)))
            did()
        case .failure(let id, let fault):
            _ = try question(id)
            answer(id, .failure(fault))
            did()
        case .dialog(let id, let dialog): try question(id).tell(dialog)
        case .unknown(let type):
            guard !run.hasStrangeTypes else { return }
            var run = run
            run.hasStrangeTypes = true
            state = .running(run)
            note("it sent a message of an unknown type: \(type)")
        }
    }

    private func question(_ id: Int64) throws(PlatformLine.Fault) -> PlatformQuestion {
        guard let question = questions[id] else {
            throw PlatformLine.Fault(description: "it answered a question that was not asked")
        }
        return question
    }

    private func greet(
        _ introduction: PlatformIntroduction, version: Int64, run: Run
    ) throws(PlatformLine.Fault) {
        guard run.introduction == nil else { throw PlatformLine.Fault(description: "it sent hello twice") }
        guard version == PlatformOrder.version else {
            throw PlatformLine.Fault(description: "it speaks version \(version) of the protocol")
        }
        var run = run
        run.hello?.cancel()
        run.introduction = introduction
        let waiting = run.waiting
        run.waiting = []
        state = .running(run)
        for id in waiting {
            guard let question = questions[id] else { continue }
            if case .hello = question.order {
                answer(id, .success(introduction))
            } else {
                tell(question.order, id: id, run: run)
            }
        }
    }

    private func did() {
        pause.didWell()
        trouble.now(nil)
    }

    /// Fails all open questions and ends this run of the helper.
    private func fail(_ reason: String) {
        guard case .running(let run) = state else { return }
        state = .ending(run.number)
        run.hello?.cancel()
        run.program.kill()
        pause.failed(at: boot)
        trouble.now(reason)
        drop("The platform helper failed: \(reason).")
    }

    private func drop(_ reason: String) {
        let dropped = questions.sorted { $0.key < $1.key }
        questions = [:]
        for (_, question) in dropped { question.end(.failure(.unavailable(reason))) }
    }

    private var boot: Duration { .nanoseconds(Int64(clamping: clock.boot.nanoseconds)) }

    private func alarm(
        after time: Duration, _ ring: @escaping @EngineActor @Sendable (PlatformHelper) -> Void
    ) -> any EngineAlarm {
        clock.alarm(at: clock.boot.advanced(by: time)) { [weak self] in
            if let self { ring(self) }
        }
    }
}
