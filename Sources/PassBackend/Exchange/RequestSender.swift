// Sends one request through the device's budget and within its time limit, and repeats it where that may help.
// Contract: rest-v2.md §6.4, §15.

import AccessEnabler
import PassProtocol

struct RequestSender: Sendable {
    enum Repetition: Sendable {
        /// Not repeated, because the caller repeats it at intervals of its own.
        case never
        /// Repeated only if the service surely has not acted on it.
        case whenUnseen
        /// Not after a 429, which makes all requests pause: a viewer who signs in does not wait for an earlier logout.
        case unlessThrottled
        case freely
    }

    static let mostTries = 3
    /// How often a request is repeated after a 429; these do not count as tries.
    static let mostRepeatsAfter429 = 3

    let exchange: any Exchange
    let gate: RequestGate
    let budgetClock: any BudgetClock
    let timedWait: TimedWait
    let time: ServiceTime
    let contact: ContactRecord
    /// Called after every request, in the task that sent it.
    let sent: @Sendable (SentRequest) -> Void
    /// Called when the service has shown that its burst does not refill: once, and again if it does so after a day.
    let foundOneTimeBurst: @Sendable () -> Void
    /// Returns a number from 0 to 1, so that boxes that failed together do not repeat at the same time.
    let jitter: @Sendable () -> Double

    /// Returns any answer but a 429, and a 5xx only if repeating did not help. The request is made only when its turn
    /// has come, since it can be much larger than the values that it is made of.
    func deliver(
        of owner: RequestOwner, repetition: Repetition, timeLimit: TimeLimit,
        makeRequest: @Sendable () throws(BackendFault) -> HTTPRequest
    ) async throws(BackendFault) -> HTTPResponse {
        var tries = 0
        var repeats = 0
        guard contact.admits(timeLimit.urgency.rank, at: timedWait.clock.boot) else {
            var fault = BackendFault(.unreachable)
            fault.reason = "the service has failed again and again; it is asked once every half a minute"
            throw fault
        }
        while true {
            let permit = try await enter(owner, timeLimit: timeLimit)
            timeLimit.waitsFor = .theService
            var request = try makeRequest()
            request.isForOnce = repetition == .whenUnseen
            let begin = timedWait.clock.boot
            let result = await send(request, timeLimit)
            sent(SentRequest(request, result: result, duration: begin.duration(to: timedWait.clock.boot)))
            if case .success(let response) = result, response.status == 429 {
                if gate.throttled(permit) { foundOneTimeBurst() }
                repeats += 1
                guard repetition != .never, repetition != .unlessThrottled, repeats <= Self.mostRepeatsAfter429 else {
                    throw .throttled
                }
                timeLimit.waitsFor = .theEndOfAPause
                continue
            }
            if case .success = result { gate.succeeded(permit) }
            tries += 1
            let isWorthIt =
                tries < Self.mostTries && Self.isWorthRepeating(result, repetition)
                && contact.letsRepeat(timeLimit.urgency.rank)
            if isWorthIt, try await pause(after: tries, timeLimit) { continue }
            switch result {
            case .success(let response): return response
            case .failure(let fault): throw BackendFault(of: fault)
            }
        }
    }

    /// Pauses for about one second after the first try, two after the second, and so on. Returns false if there is no
    /// time left for that.
    func pause(after tries: Int, _ timeLimit: TimeLimit) async throws(BackendFault) -> Bool {
        let pause = Duration.seconds(1 << min(tries - 1, 5)) * (0.75 + 0.5 * jitter())
        return try await timedWait.pause(pause, timeLimit)
    }

    private func enter(
        _ owner: RequestOwner, timeLimit: TimeLimit
    ) async throws(BackendFault) -> RequestBudget.Permit {
        while true {
            let boot = timedWait.clock.boot
            let deadline = timeLimit.deadline
            guard boot < deadline else { throw timeLimit.exhausted }
            if timeLimit.waitsFor == .theService { timeLimit.waitsFor = .itsTurn }
            do {
                return try await gate.enter(
                    timeLimit.urgency, of: owner, deadline: budgetClock.now + boot.duration(to: deadline))
            } catch RequestBudget.Refusal.deadlinePassed where deadline < timeLimit.deadline {
                // Another caller with a later deadline has joined meanwhile.
                continue
            } catch let refusal as RequestBudget.Refusal {
                throw BackendFault(refusal, timeLimit)
            } catch {
                throw BackendFault(.cancelled)
            }
        }
    }

    private func send(_ request: HTTPRequest, _ timeLimit: TimeLimit) async -> Result<HTTPResponse, HTTPFault> {
        do {
            let asked = timedWait.clock.boot
            let response = try await exchange.send(request)
            time.learn(response, asked: asked)
            if response.status >= 500 {
                contact.failed(ServiceTrouble(serverError: response), at: timedWait.clock.boot)
            } else if request.headers["Accept"] == "application/json", let fault = BackendFault.foreign(response) {
                contact.failed(ServiceTrouble(unusable: fault.reason), at: timedWait.clock.boot)
            } else {
                contact.reached(at: timedWait.clock.boot)
            }
            return .success(response)
        } catch {
            // If the time of all callers is over, the request was cancelled because the service has not answered in time.
            let isOver = timeLimit.deadline <= timedWait.clock.boot
            let fault = error == .cancelled && isOver ? HTTPFault.timeout(wasSent: true) : error
            if fault != .cancelled, fault != .closed, fault != .badHeader, fault != .badURL {
                contact.failed(ServiceTrouble(fault), at: timedWait.clock.boot)
            }
            return .failure(fault)
        }
    }

    private static func isWorthRepeating(_ result: Result<HTTPResponse, HTTPFault>, _ repetition: Repetition) -> Bool {
        switch (result, repetition) {
        case (_, .never): false
        case (.failure(let fault), .whenUnseen): fault.isTransient && !fault.mayHaveBeenSent
        case (.failure(let fault), .freely), (.failure(let fault), .unlessThrottled): fault.isTransient
        case (.success(let response), .whenUnseen): response.status == 503
        case (.success(let response), .freely), (.success(let response), .unlessThrottled):
            switch response.status {
            // The service reports a wrong configuration with a 500 too; repeating does not help then.
            case 500...599: ServiceError(response.body)?.action != .configuration
            case 402...499: ServiceError(response.body)?.asksForRepetition ?? false
            default: false
            }
        }
    }
}
