// What the engine reports to subscribers and the journal. An event contains no secret and no code of a login.

public import PassProtocol

public enum EngineEvent: Sendable {
    public enum LoginEnd: String, CaseIterable, Sendable { case authenticated, expired, cancelled, failed }

    /// The answer to a question about a resource.
    public enum Verdict: String, CaseIterable, Sendable {
        case permitted, denied
        /// The login is no longer valid.
        case unauthenticated
        /// There was an error instead of an answer.
        case undecided
    }

    /// The cause of an answer about a resource. Empty where the verdict says everything.
    public struct Cause: Hashable, Sendable {
        public enum Decider: String, CaseIterable, Sendable {
            case service
            /// The daemon's own memory, without a question to the service.
            case memory
        }

        /// Nil if there is no decision, because the service did not answer.
        public var decider: Decider?
        /// What the service names as the source of its decision.
        public var source: String?
        /// The code of the service's refusal, or the name of the fault that prevented an answer.
        public var code: String?
        /// The trace to give to the service's support.
        public var trace: String?
        /// A text of the provider or of the programmer, for the viewer.
        public var text: String?
        /// The service's message to programmers.
        public var message: String?

        public init(
            _ decider: Decider?, source: String? = nil, code: String? = nil, trace: String? = nil, text: String? = nil,
            message: String? = nil
        ) {
            self.decider = decider
            self.source = source
            self.code = code
            self.trace = trace
            self.text = text
            self.message = message
        }
    }

    /// The answer about one resource of a menu.
    public struct Hint: Hashable, Sendable {
        public var resource: ResourceID
        public var verdict: Verdict
        public var cause: Cause

        public init(_ resource: ResourceID, _ verdict: Verdict, because cause: Cause) {
            self.resource = resource
            self.verdict = verdict
            self.cause = cause
        }
    }

    case requestor(session: Int64, RequestorID)
    /// An app could not start with the requestor.
    case requestorFailed(session: Int64, RequestorID, Cause)
    /// The service began no login: it refused to, or could not be reached.
    case loginFailed(session: Int64, RequestorID, ProviderID?, Cause)
    case loginOpened(RequestorID, ProviderID?, expires: Int64)
    case loginClosed(RequestorID, ProviderID?, LoginEnd)
    /// A login has begun to count for the requestor.
    case signedIn(RequestorID, ProviderID, Callback.Reason?)
    /// A login has ended. `by` names the party that ended it, if any.
    case signedOut(RequestorID, ProviderID, LoginEndCause, by: String?)
    /// The service refuses the end of a login that has ended here.
    case logoutRefused(RequestorID, ProviderID, Cause)
    case authorization(session: Int64, RequestorID, ProviderID?, ResourceID, Verdict, Cause)
    /// Hints that the service gave. Hints from memory are not reported again.
    case preauthorization(session: Int64, RequestorID, ProviderID, [Hint])
    /// The vault refuses changes, with the reason, or accepts them again, with nil.
    case store(String?)
    /// A code of the status channel that is more than information.
    case status(session: Int64, RequestorID?, SDKStatus)
}
