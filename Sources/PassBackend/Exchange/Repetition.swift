// Decides whether a call is repeated, how often, and after which pause. This file reads no clock: the time and the jitter are
// passed in. The loop is in `RequestSender`. Contract: rest-v2.md §6.4, §8, §15; rest-v1.md §6.11; dcr.md §5. Ruling 47.

import AccessEnabler
import PassProtocol

struct Repetition: Sendable {
    enum Policy: Sendable {
        /// Not repeated, because the caller asks again at intervals.
        case never
        /// Repeated only if the service has definitely not acted on the call.
        case whenUnseen
        /// For logouts. Repeated after failures, but not after a 429, which pauses all requests. A logout that waits for the
        /// end of the pause would delay the viewer's next login.
        case unlessThrottled
        case freely
    }

    /// The facts about an attempt that matter for the next attempt.
    struct Outcome: Sendable {
        enum Refused: Sendable { case token, client }

        /// Whether the service asked for a pause. The budget enforces the pause.
        var isThrottled = false
        /// Whether the same request may succeed if it is sent again soon.
        var isPassing = false
        /// The credentials that the service refused. They have to be replaced before another attempt.
        var refused: Refused?
    }

    enum Step: Equatable, Sendable {
        case end
        case repeatNow
        case repeatAfter(Duration)
    }

    static let maxTries = 3
    /// The max number of repeats after a 429. These repeats do not count as tries.
    static let maxRepeatsAfter429 = 3
    /// Repeats of a question about decisions end this long before the deadline, so that the first answer still reaches the
    /// caller in time.
    static let reserve = Duration.milliseconds(250)

    let policy: Policy
    private var tries = 0
    private var throttled = 0
    private var hasNewToken = false
    private var hasNewClient = false

    init(_ policy: Policy) { self.policy = policy }

    /// Returns what follows an attempt. The pause is about one second after the first try, and two seconds after the second
    /// try. The pause must end before the deadline. A refused token is replaced once, and refused credentials are replaced
    /// once. After a replacement, the tries are counted from zero again.
    mutating func step(
        after outcome: Outcome, at now: BootTime, until deadline: BootTime, jitter: () -> Double
    ) -> Step {
        if outcome.isThrottled {
            throttled += 1
            let isAllowed = policy != .never && policy != .unlessThrottled && throttled <= Self.maxRepeatsAfter429
            return isAllowed ? .repeatNow : .end
        }
        tries += 1
        if outcome.isPassing, tries < Self.maxTries {
            let pause = Duration.seconds(tries) * (0.75 + 0.5 * jitter())
            if now.advanced(by: pause) < deadline { return .repeatAfter(pause) }
        }
        switch outcome.refused {
        case .token where !hasNewToken: hasNewToken = true
        case .client where !hasNewClient: hasNewClient = true
        case .token, .client, nil: return .end
        }
        (tries, throttled) = (0, 0)
        return .repeatNow
    }
}

extension Repetition.Outcome {
    init(of result: Result<HTTPResponse, HTTPFault>, _ policy: Repetition.Policy) {
        if case .success(let response) = result, response.status == 429 {
            isThrottled = true
        } else {
            isPassing = Self.isPassing(result, policy)
        }
    }

    private static func isPassing(_ result: Result<HTTPResponse, HTTPFault>, _ policy: Repetition.Policy) -> Bool {
        switch (result, policy) {
        case (_, .never): false
        case (.failure(let fault), .whenUnseen): fault.isTransient && !fault.mayHaveBeenSent
        case (.failure(let fault), .freely), (.failure(let fault), .unlessThrottled): fault.isTransient
        case (.success(let response), .whenUnseen): response.status == 503
        case (.success(let response), .freely), (.success(let response), .unlessThrottled):
            switch response.status {
            // With a 500, the service may also report a wrong configuration, for which a retry does not help.
            case 500...599: ServiceError(response.body)?.action != .configuration
            case 402...499: ServiceError(response.body)?.asksForRepetition ?? false
            default: false
            }
        }
    }
}

extension ServiceError {
    /// Whether a repetition may help. True if the action of the error is a retry, or the code means a failed connection or a
    /// timeout. The action alone is not enough, because for these codes the service's samples have other actions than the
    /// contract's table. Contract: rest-v2.md §6.2.
    var asksForRepetition: Bool { action == .retry || SDKStatus(undecidedBy: code) == .Z120 }
}
