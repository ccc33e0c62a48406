// The errors of the service in an answer, and the faults for unusable answers. Contract: rest-v2.md §6.1, §20; dcr.md §3,
// §6.

import AccessEnabler
import PassJSON

extension ServiceError {
    /// Nil if the body is not an enhanced error.
    init?(_ body: [UInt8]) {
        guard let json = JSONValue(answer: body), let error = try? ServiceError(json) else { return nil }
        self = error
    }

    /// Reads an enhanced error, either alone or as the member `error` of an object. A message that is not a string is
    /// ignored.
    init(_ json: JSONValue) throws {
        let wrapped = json["error"]
        let json = wrapped?.object == nil ? json : wrapped ?? json
        self.init(
            status: json["status"]?.int64.flatMap { Int(exactly: $0) } ?? 0, code: try json.member("code", \.string),
            actionName: json["action"]?.string ?? "none", message: json["message"]?.string,
            details: json["details"]?.string, helpURL: json["helpUrl"]?.string, trace: json["trace"]?.string)
    }
}

extension HTTPResponse {
    /// The code of an OAuth error, like `{"error": "invalid_client"}`. Registrations and protected calls may return such a
    /// code.
    var oauthCode: String? { JSONValue(answer: body)?["error"]?.string }

    /// Whether the service no longer accepts the registration. The status 403 alone does not mean that. Contract:
    /// open-questions.md OQ-58.
    var isDeadClient: Bool { status == 403 && oauthCode == "invalid_client" }
}

extension BackendFault {
    static func refused(_ error: ServiceError) -> BackendFault { BackendFault(.refused(error), trace: error.trace) }

    /// The fault for an answer that cannot be used, with the reason for operators.
    static func unusable(_ reason: String) -> BackendFault { BackendFault(.unusableAnswer, reason: reason) }

    /// The service's own error, if it refused the request.
    var refusal: ServiceError? { if case .refused(let error) = kind { error } else { nil } }

    var meansNoProfile: Bool { refusal?.meansNoProfile ?? false }

    init(_ kind: Kind, reason: String) {
        self.init(kind)
        self.reason = reason
    }
}

extension LoginStep {
    /// Returns the step. Throws if a part of it is too large to be stored.
    func bounded() throws(BackendFault) -> LoginStep {
        let excess: String? =
            switch self {
            case .showCode(let login), .openURL(let login): login.excess
            case .alreadyIn(let provider, _): ValueLimits.excess([("name of a provider", provider.rawValue)])
            }
        if let excess { throw .unusable(excess) }
        return self
    }
}
