// Counts each HTTP request for the metrics, by the pattern of its path and its outcome.

import PassBackend
import PassServer

extension Meter {
    func count(_ sent: SentRequest) {
        let outcome = MetricCounts.RequestOutcome(sent.outcome)
        count { counts in
            counts.request(to: "\(sent.method.rawValue) \(sent.route)", outcome, lasting: sent.duration)
            guard sent.isRegistration else { return }
            counts.registration(outcome == .success ? .accepted : outcome == .refused ? .refused : .failed)
        }
    }
}

extension MetricCounts.RequestOutcome {
    init(_ outcome: Result<Int, HTTPFault>) {
        switch outcome {
        case .success(429): self = .throttled
        case .success(200..<400): self = .success
        case .success(400..<500): self = .refused
        case .success(500...): self = .serverError
        case .success: self = .unusableAnswer
        case .failure(let fault):
            switch fault {
            case .timeout: self = .timeout
            case .dns, .connect, .unreachable, .proxy, .disconnected, .noLibrary: self = .unreachable
            case .tls, .insecure: self = .insecure
            case .tooLarge, .broken: self = .unusableAnswer
            // Nothing was sent, because the request could not be written.
            case .badURL, .badHeader, .cancelled, .closed: self = .cancelled
            }
        }
    }
}
