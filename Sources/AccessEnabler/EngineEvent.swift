// What the engine tells about itself, for subscribers and the journal. No secret and no code of a login is in it.

import PassProtocol

public enum EngineEvent: Sendable {
    public enum LoginEnd: String, Sendable { case authenticated, expired, cancelled, failed }

    /// What came of a question about a resource.
    public enum Verdict: String, CaseIterable, Sendable {
        case permitted, denied
        /// The login is not good any more.
        case unauthenticated
        /// An error instead of an answer.
        case undecided
    }

    case requestor(session: Int64, RequestorID)
    case loginOpened(RequestorID, ProviderID?, expires: ServerTime)
    case loginClosed(RequestorID, ProviderID?, LoginEnd)
    case authentication(RequestorID, ProviderID?, isAuthenticated: Bool, Callback.Reason?)
    case authorization(session: Int64, RequestorID, ProviderID, ResourceID, Verdict)
    /// Hints of the service. Those from memory repeat what was told.
    case preauthorization(session: Int64, RequestorID, ProviderID, [(ResourceID, Verdict)])
    /// The vault refuses changes, for this reason; or takes them again.
    case store(String?)
    /// A report of the status channel that is more than information.
    case status(session: Int64, RequestorID?, SDKStatus)
}
