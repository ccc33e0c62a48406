// An error of the older interface. Contract: rest-v1.md §4, §12, dcr.md §6.

import PassJSON

struct V1Fault: Sendable {
    var status: Int
    var code: V1ErrorCode
    var message: String?
    /// The text of the provider.
    var details: String?
    /// The error code of a faulty access token.
    var tokenError: String?
    var headers: [Field] = []

    init(_ status: Int, code: V1ErrorCode, message: String? = nil, details: String? = nil) {
        self.status = status
        self.code = code
        self.message = message
        self.details = details
        if status == 401 { tokenError = "access_denied" }
    }

    /// The fault for a missing parameter. Contract: rest-v1.md §6.1, the sentence around the parameter's name.
    static func missing(_ name: String, _ code: V1ErrorCode = .badRequest) -> V1Fault {
        V1Fault(400, code: code, message: "Required '\(name)' is not present")
    }

    static func wrong(_ name: String, _ code: V1ErrorCode = .badRequest) -> V1Fault {
        V1Fault(400, code: code, message: "The value of '\(name)' is not valid")
    }

    /// The error as an object, for the top of an answer or for a denied item.
    func object(isEnhanced: Bool, trace: String, origin: String) -> JSONValue {
        let reason = [
            400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
            410: "Gone", 412: "Precondition Failed",
        ]
        let message = JSONValue.string(message ?? reason[status] ?? "Internal Server Error")
        guard isEnhanced else {
            return .members([
                "status": .int(Int64(status)), "message": message, "details": details.map(JSONValue.string) ?? .null,
                "error": tokenError.map(JSONValue.string),
            ])
        }
        return .members([
            "action": .string(code.action), "status": .int(Int64(status)), "code": .string(code.rawValue),
            "message": message, "details": details.map(JSONValue.string),
            "helpUrl": .string("\(origin)/errors#\(code.rawValue)"), "trace": .string(trace),
            "error": tokenError.map(JSONValue.string),
        ])
    }
}

extension Refusal {
    /// The refusal in the form of the older interface; nil for a response that is ready.
    var v1Fault: V1Fault? {
        switch self {
        case .v1(let fault): return fault
        case .enhanced(let code, let status, let details):
            return V1Fault(status ?? code.status, code: V1ErrorCode(code), message: code.message, details: details)
        case .badRequest(let reason): return V1Fault(400, code: .badRequest, message: reason)
        case .unauthorized:
            var fault = V1Fault(401, code: .accessTokenClientApplication)
            fault.headers = [Field("WWW-Authenticate", "Bearer error=\"invalid_token\"")]
            return fault
        case .oauth(let error, let status):
            var fault = V1Fault(status, code: .accessTokenClientApplication)
            fault.tokenError = error
            return fault
        case .response: return nil
        case .wrongCode(_, let refusal): return refusal.v1Fault
        }
    }
}
