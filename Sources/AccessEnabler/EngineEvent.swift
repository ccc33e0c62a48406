// What the engine reports to subscribers and the journal. Events contain no secrets and no login codes.

import PassProtocol

public enum EngineEvent: Sendable {
    public enum LoginEnd: String, Sendable { case authenticated, expired, cancelled, failed }

    /// The result of an authorization or preauthorization of a resource.
    public enum Verdict: String, CaseIterable, Sendable {
        case permitted, denied
        /// The login is no longer valid.
        case unauthenticated
        /// The service returned an error, or no answer at all.
        case undecided
    }

    case requestor(session: Int64, RequestorID)
    case loginOpened(RequestorID, ProviderID?, expires: ServerTime)
    case loginClosed(RequestorID, ProviderID?, LoginEnd)
    case authentication(RequestorID, ProviderID?, isAuthenticated: Bool, Callback.Reason?)
    case authorization(session: Int64, RequestorID, ProviderID, ResourceID, Verdict)
    /// Hints that came from the service. Hints that are answered from memory cause no event.
    case preauthorization(session: Int64, RequestorID, ProviderID, [(ResourceID, Verdict)])
    /// The reason why the vault refuses changes; nil when it accepts them again.
    case store(String?)
    /// A message of the status channel that is more severe than information.
    case status(session: Int64, RequestorID?, SDKStatus)
}
