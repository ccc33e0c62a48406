// The service's own account of what went wrong, with the service's own codes. Apps read it as `EnhancedError`, which
// has the names that they compare with. Contract: rest-v2.md §6.1.

import PassProtocol

public struct ServiceError: Error, Hashable, Codable, Sendable {
    public var status: Int
    public var code: String
    public var actionName: String
    public var message: String?
    /// Text of the provider or of the programmer, for the viewer.
    public var details: String?
    public var helpURL: String?
    /// The service's own number of the request, for its support.
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

    /// What the service recommends. The set may grow; an unknown one means: do nothing automatic.
    public var action: ErrorAction { ErrorAction(rawValue: actionName) }

    /// What the platform says of its TV account does not do for a login of the platform's. Contract: rest-v2.md §6.2.
    var isAboutPlatformStatus: Bool { code.hasPrefix("invalid_header_pfs_") }
}
