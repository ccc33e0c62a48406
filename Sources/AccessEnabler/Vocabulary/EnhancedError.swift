// The service's own account of what went wrong, passed through to apps. Contract: rest-v2.md §6.1.

public struct EnhancedError: Error, Hashable, Codable, Sendable {
    /// A set that may grow; an unknown one means: do nothing automatic.
    public enum Action: Hashable, Sendable {
        case none, configuration, applicationRegistration, authentication, authorization, retry
        case other(String)
    }

    public var status: Int
    public var code: String
    public var actionName: String
    public var message: String?
    /// Text of the provider or of the programmer, for the viewer.
    public var details: String?
    public var helpURL: String?
    /// What support wants to know.
    public var trace: String?

    public init(
        status: Int, code: String, actionName: String, message: String? = nil, details: String? = nil,
        helpURL: String? = nil, trace: String? = nil
    ) {
        self.status = status
        self.code = code
        self.actionName = actionName
        self.message = message
        self.details = details
        self.helpURL = helpURL
        self.trace = trace
    }

    public var action: Action {
        switch actionName {
        case "none": .none
        case "configuration": .configuration
        case "application-registration": .applicationRegistration
        case "authentication": .authentication
        case "authorization": .authorization
        case "retry": .retry
        default: .other(actionName)
        }
    }

    /// What the platform says of its TV account does not do for a login of the platform's. Contract: rest-v2.md §6.2.
    var isAboutPlatformStatus: Bool { code.hasPrefix("invalid_header_pfs_") }
}
