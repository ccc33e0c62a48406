// What the engine reports to subscribers and the journal. An event contains no secret and no code of a login. A new kind of
// event needs a case here and code that publishes the event. It also needs a row in `PassServer/Events/EventForm.swift`. If
// this row has a record for the journal, the event needs a sample here, too.

public import PassProtocol

public struct EngineEvent: Sendable {
    public enum LoginEnd: String, CaseIterable, Sendable { case authenticated, expired, cancelled, failed }

    /// The answer to a question about a resource.
    public enum Verdict: String, CaseIterable, Sendable {
        case permitted, denied
        /// The login is no longer valid.
        case unauthenticated
        /// There was an error instead of an answer.
        case undecided
    }

    /// The cause of an answer about a resource. It is empty if the verdict needs no explanation.
    public struct Cause: Hashable, Sendable {
        /// The party that decided. Nil if there is no decision, because the service did not answer.
        public var decider: Decisions.Decider?
        /// The source of the decision, as the service names it.
        public var source: String?
        /// The code of the service's refusal, or the name of the fault that prevented an answer.
        public var code: String?
        /// The trace to give to the service's support.
        public var trace: String?
        /// A text for the viewer, from the provider or from the programmer (the company that owns the channels).
        public var text: String?
        /// The service's message for developers of apps.
        public var message: String?
    }

    /// The service's answer to the question whether one resource would probably be permitted. Apps use hints for menus.
    public struct Hint: Hashable, Sendable {
        public var resource: ResourceID
        public var verdict: Verdict
        public var cause: Cause
    }

    public enum Kind: Sendable {
        case requestor
        /// `setRequestor` has failed for an app.
        case requestorFailed
        /// The service began no login, because it refused or could not be reached.
        case loginFailed
        case loginOpened(expires: Int64)
        case loginClosed(LoginEnd)
        /// A login is now valid for the requestor.
        case signedIn(Callback.Reason?)
        /// A login has ended. `by` names the party that ended it, if any.
        case signedOut(LoginEndCause, by: String? = nil)
        /// The service refuses to end a login that has ended on this box.
        case logoutRefused
        case authorization(ResourceID, Verdict)
        /// Hints that the service gave. Hints from memory are not reported again.
        case preauthorization([Hint])
        /// The vault's state: the reason why it refuses changes, or nil when it accepts changes again.
        case store(String?)
        /// A status code that was sent to an app on the status channel. Status codes that only inform are not published.
        case status(SDKStatus)
    }

    /// One event for each kind of record in the journal. The journal's manual page is made from these events.
    package static let samples = [
        Kind.requestorFailed, .loginOpened(expires: 0), .loginClosed(.failed), .signedIn(nil), .logoutRefused,
        .authorization(ResourceID(rawValue: ""), .denied), .preauthorization([]), .store(nil), .status(.N000),
    ].map { EngineEvent(kind: $0) }

    public var kind: Kind
    public var requestor: RequestorID?
    public var provider: ProviderID?
    /// The session whose app the event is about, if it is about one app.
    public var session: Int64?
    public var cause: Cause?
}

extension EngineEvent {
    init(_ kind: Kind, _ key: ProfileKey) { self.init(kind: kind, requestor: key.requestor, provider: key.provider) }
}
