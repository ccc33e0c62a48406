// What the engine reports to subscribers and the journal. An event contains no secret and no code of a login.

import PassProtocol

public enum EngineEvent: Sendable {
    public enum LoginEnd: String, Sendable { case authenticated, expired, cancelled, failed }

    /// The answer to a question about a resource.
    public enum Verdict: String, CaseIterable, Sendable {
        case permitted, denied
        /// The login is no longer valid.
        case unauthenticated
        /// There was an error instead of an answer.
        case undecided
    }

    case requestor(session: Int64, RequestorID)
    case loginOpened(RequestorID, ProviderID?, expires: ServerTime)
    case loginClosed(RequestorID, ProviderID?, LoginEnd)
    case authentication(RequestorID, ProviderID?, isAuthenticated: Bool, Callback.Reason?)
    case authorization(session: Int64, RequestorID, ProviderID, ResourceID, Verdict)
    /// Hints that the service gave. Hints from memory are not reported again.
    case preauthorization(session: Int64, RequestorID, ProviderID, [(ResourceID, Verdict)])
    /// The vault refuses changes, with the reason, or takes them again, with nil.
    case store(String?)
    /// A code of the status channel that is more than information.
    case status(session: Int64, RequestorID?, SDKStatus)
}
