// The outcome of a login that an app began. Each outcome is reported once, to that app. rpc.md §5; access-enabler.md §7.8.

public struct LoginOutcome: Sendable, Hashable {
    public enum Kind: String, Sendable, CaseIterable { case authenticated, cancelled, expired, denied, failed }

    public var kind: Kind
    /// The code of the status channel that says why; nil if the kind is enough.
    public var cause: SDKStatus?
    /// The code that the app showed last for this login; nil if there was none.
    public var code: String?

    public init(_ kind: Kind, _ cause: SDKStatus? = nil, code: String? = nil) {
        self.kind = kind
        self.cause = cause
        self.code = code
    }
}
