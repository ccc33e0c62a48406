// Sends each request when the device's request budget permits it, and within the request's time limit. Repeats calls as
// `Repetition` decides. Contract: rest-v2.md §6.4, §8, §15.

import AccessEnabler

struct RequestSender: Sendable {
    /// One attempt of a call.
    struct Attempt<Answer: Sendable> {
        let outcome: Repetition.Outcome
        /// Returns the answer of the call, or throws its fault. Called if no other attempt follows.
        let end: () throws(BackendFault) -> Answer
        /// Prepares the next attempt if it follows without a pause. For example, discards a token that the service has
        /// refused.
        var renew: () throws(BackendFault) -> Void = {}
    }

    let exchange: any Exchange
    let gate: RequestGate
    let clock: any EngineClock
    let time: ServiceTime
    let contact: ContactRecord
    /// Called after every request, in the task that sent it.
    let sent: @Sendable (SentRequest) -> Void
    /// A *burst* is several requests in quick succession. This closure is called when the service has refused a request of
    /// a burst. passd then assumes for a day that the service allows no other burst. After that day, the closure may be
    /// called again.
    let foundOneTimeBurst: @Sendable () -> Void
    /// Returns a number from 0 to 1 that varies the pause before a repeat. Without the variation, boxes whose requests fail at
    /// the same time would also repeat the requests at the same time.
    let jitter: @Sendable () -> Double

    /// The only loop in this module that repeats a call.
    func repeating<Answer: Sendable>(
        _ policy: Repetition.Policy, within timeLimit: TimeLimit, reserve: Duration = .zero,
        _ attempt: () async throws(BackendFault) -> Attempt<Answer>
    ) async throws(BackendFault) -> Answer {
        var repetition = Repetition(policy)
        while true {
            let attempt = try await attempt()
            let deadline = timeLimit.deadline.advanced(by: .zero - reserve)
            switch repetition.step(after: attempt.outcome, at: clock.boot, until: deadline, jitter: jitter) {
            case .end: return try attempt.end()
            case .repeatNow:
                if attempt.outcome.isThrottled { timeLimit.waitsFor = .theEndOfAPause }
                try attempt.renew()
            case .repeatAfter(let pause): try await clock.pause(for: pause)
            }
        }
    }

    /// Sends a request without an access token. Throws if the answer to the last try is a 429. Returns an answer with a
    /// status of 5xx only after all tries.
    func deliver(
        of owner: RequestOwner, repetition: Repetition.Policy, timeLimit: TimeLimit,
        makeRequest: @Sendable () throws(BackendFault) -> HTTPRequest
    ) async throws(BackendFault) -> HTTPResponse {
        try admit(timeLimit)
        return try await repeating(repetition, within: timeLimit) { () throws(BackendFault) in
            let (result, outcome) = try await send(
                of: owner, repetition: repetition, timeLimit: timeLimit, makeRequest: makeRequest)
            return Attempt(outcome: outcome) { () throws(BackendFault) in
                if outcome.isThrottled { throw .throttled }
                return try result.mapError { BackendFault(of: $0) }.get()
            }
        }
    }

    /// Asks for decisions. Repeats the question for the resources whose error allows a retry. If a later attempt fails,
    /// the earlier decisions stay.
    func repeatingOpen(
        _ resources: [ResourceID], within timeLimit: TimeLimit,
        _ ask: @escaping @Sendable ([ResourceID], TimeLimit) async throws(BackendFault) -> [ServiceDecision]
    ) async throws(BackendFault) -> [ServiceDecision] {
        var decisions: [ServiceDecision] = []
        return try await repeating(.freely, within: timeLimit, reserve: Repetition.reserve) { () throws(BackendFault) in
            var isPassing = false
            if decisions.isEmpty {
                decisions = try await ask(resources, timeLimit)
                isPassing = true
            } else {
                let open = decisions.indices.filter { decisions[$0].isOpen }
                let question = open.map { decisions[$0].resource }
                let end = timeLimit.deadline.advanced(by: .zero - Repetition.reserve)
                if let again = try? await clock.alone(until: end, timeLimit.urgency, { try await ask(question, $0) }) {
                    for (index, decision) in zip(open, again) { decisions[index] = decision }
                    isPassing = true
                }
            }
            isPassing = isPassing && decisions.contains(where: \.isOpen)
            return Attempt(outcome: .init(isPassing: isPassing)) { [decisions] in decisions }
        }
    }

    /// Throws if no viewer waits and the service has failed repeatedly.
    func admit(_ timeLimit: TimeLimit) throws(BackendFault) {
        guard !contact.admits(timeLimit.urgency.rank, at: clock.boot) else { return }
        throw BackendFault(
            .unreachable,
            reason: "the service has failed repeatedly; while no viewer waits, passd asks it only every 30 seconds")
    }

    /// Sends one request. The request is built only when its turn comes, because a built request needs much more memory than
    /// its values.
    func send(
        of owner: RequestOwner, repetition: Repetition.Policy, timeLimit: TimeLimit,
        makeRequest: () throws(BackendFault) -> HTTPRequest
    ) async throws(BackendFault) -> (Result<HTTPResponse, HTTPFault>, Repetition.Outcome) {
        let permit = try await enter(owner, timeLimit: timeLimit)
        timeLimit.waitsFor = .theService
        var request = try makeRequest()
        request.isForOnce = repetition == .whenUnseen
        let begin = clock.boot
        let result = await exchange(request, timeLimit)
        sent(SentRequest(duration: begin.duration(to: clock.boot), request: request, result: result))
        var outcome = Repetition.Outcome(of: result, repetition)
        if outcome.isThrottled {
            if gate.throttled(permit) { foundOneTimeBurst() }
        } else if case .success = result {
            gate.succeeded(permit)
        }
        outcome.isPassing = outcome.isPassing && contact.letsRepeat(timeLimit.urgency.rank)
        return (result, outcome)
    }

    private func enter(
        _ owner: RequestOwner, timeLimit: TimeLimit
    ) async throws(BackendFault) -> RequestBudget.Permit {
        while true {
            let boot = clock.boot
            let deadline = timeLimit.deadline
            guard boot < deadline else { throw timeLimit.exhausted }
            if timeLimit.waitsFor == .theService { timeLimit.waitsFor = .itsTurn }
            do {
                return try await gate.enter(
                    timeLimit.urgency, of: owner, deadline: gate.now + boot.duration(to: deadline))
            } catch RequestBudget.Refusal.deadlinePassed where deadline < timeLimit.deadline {
                // In the meantime, another caller with a later deadline has joined this work, so the wait continues.
                continue
            } catch let refusal as RequestBudget.Refusal {
                throw BackendFault(refusal, timeLimit)
            } catch {
                throw BackendFault(.cancelled)
            }
        }
    }

    private func exchange(_ request: HTTPRequest, _ timeLimit: TimeLimit) async -> Result<HTTPResponse, HTTPFault> {
        do {
            let asked = clock.boot
            let response = try await exchange.send(request)
            time.learn(response, asked: asked)
            if response.status >= 500 {
                contact.failed(ServiceTrouble(serverError: response), at: clock.boot)
            } else if request.headers["Accept"] == "application/json", let fault = BackendFault.foreign(response) {
                contact.failed(ServiceTrouble(unusable: fault.reason), at: clock.boot)
            } else {
                contact.reached(at: clock.boot)
            }
            return .success(response)
        } catch {
            // If the deadline of all callers has passed, the request was cancelled because the service did not answer in time.
            let isOver = timeLimit.deadline <= clock.boot
            let fault = error == .cancelled && isOver ? HTTPFault.timeout(wasSent: true) : error
            if fault != .cancelled, fault != .closed, fault != .badHeader, fault != .badURL {
                contact.failed(ServiceTrouble(fault), at: clock.boot)
            }
            return .failure(fault)
        }
    }
}

extension ServiceDecision {
    fileprivate var isOpen: Bool { error?.asksForRepetition == true }
}
