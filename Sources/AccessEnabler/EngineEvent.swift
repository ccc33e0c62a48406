// What the engine tells about itself, for subscribers and the journal. No secret and no code of a login is in it.

import PassProtocol

public enum EngineEvent: Sendable {
    public enum LoginEnd: String, Sendable { case authenticated, expired, cancelled, failed }

    case requestor(session: Int64, RequestorID)
    case loginOpened(RequestorID, ProviderID?, expires: ServerTime)
    case loginClosed(RequestorID, ProviderID?, LoginEnd)
    case authentication(RequestorID, ProviderID?, isAuthenticated: Bool, Callback.Reason?)
    case authorization(session: Int64, RequestorID, ProviderID, ResourceID, isAuthorized: Bool)
    /// The vault refuses changes, for this reason; or takes them again.
    case store(String?)
    /// Of the status channel, where it is no matter of course.
    case status(session: Int64, RequestorID?, SDKStatus)
}
