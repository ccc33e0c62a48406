// An error that the service reported, with the service's own codes. Apps see it as `EnhancedError`, under the names
// that ported apps compare with. Contract: rest-v2.md §6.1.

import PassProtocol

public struct ServiceError: Error, Hashable, Codable, Sendable {
    public var status: Int
    public var code: String
    public var actionName: String
    public var message: String?
    /// A text for the viewer, from the provider or the programmer.
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

    /// The action that the service recommends. The service may add actions; for an unknown one nothing is done
    /// automatically.
    public var action: ErrorAction { ErrorAction(rawValue: actionName) }

    /// The service rejected the status of the platform's TV account. Contract: rest-v2.md §6.2.
    var isAboutPlatformStatus: Bool { code.hasPrefix("invalid_header_pfs_") }
}
