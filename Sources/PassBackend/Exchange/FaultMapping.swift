// Translates faults of HTTP and of the budget into the engine's. None of them contains parts of the request.

import AccessEnabler

extension BackendFault {
    /// The label is needed because `.cancelled` is a case of both types; without it the initializer would call itself.
    init(of fault: HTTPFault) {
        switch fault {
        case .dns, .connect, .unreachable, .timeout, .proxy, .disconnected, .noLibrary: self.init(.unreachable)
        case .tls, .insecure: self.init(.insecure)
        case .tooLarge, .broken: self.init(.unusableAnswer)
        case .cancelled, .closed: self.init(.cancelled)
        case .badURL, .badHeader:
            // The app's values cannot be put into a request; the service would answer with a 400.
            let error = ServiceError(
                status: 400, code: "invalid_request", actionName: "none", message: fault.description)
            self.init(.refused(error))
        }
        reason = fault.description
    }

    init(_ refusal: RequestBudget.Refusal, _ timeLimit: TimeLimit) {
        switch refusal {
        case .queueFull: self.init(.overloaded)
        case .deadlinePassed: self = timeLimit.exhausted
        }
    }

    init(describing error: any Error) {
        switch error {
        case let fault as BackendFault: self = fault
        case let fault as HTTPFault: self.init(of: fault)
        default: self.init(.cancelled)
        }
    }
}
