// When and how the last exchange with the service ended. The backend keeps it for the status report and for `doctor`.

/// When and how the last exchange with the service ended.
public enum ServiceContact: Hashable, Sendable {
    case never
    case reachable(since: BootTime, last: BootTime)
    /// `answered` is when the service last answered.
    case failing(ServiceTrouble, since: BootTime, last: BootTime, answered: BootTime? = nil)

    /// When the service last answered; nil if it never did.
    public var lastAnswer: BootTime? {
        switch self {
        case .never: nil
        case .reachable(_, let last): last
        case .failing(_, _, _, let answered): answered
        }
    }
}

/// Why there is no service, and what an operator can do about it. Short and free of secrets.
public struct ServiceTrouble: Hashable, Sendable {
    /// Without a capital letter and a full stop.
    public var reason: String
    /// Whole sentences.
    public var remedy: String

    public init(reason: String, remedy: String) {
        self.reason = reason
        self.remedy = remedy
    }
}
