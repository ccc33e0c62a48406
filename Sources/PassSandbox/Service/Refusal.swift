// Why a call is not executed. Handlers throw it, and the service turns it into the answer of the interface.

import PassJSON

enum Refusal: Error {
    /// The enhanced error object alone, as in REST V2. Contract: rest-v2.md §6.1.
    case enhanced(ErrorCode, status: Int? = nil, details: String? = nil)
    /// The error of registration, `{"error": …}`. Contract: dcr.md §3, §4.
    case oauth(String, status: Int = 400)
    /// The bearer token is missing, unknown or expired. Contract: dcr.md §6.
    case unauthorized
    /// A malformed request for which the table has no code.
    case badRequest(String)
    /// An error of the older interface, which is the only one to throw it. Contract: rest-v1.md §4, §12.
    case v1(V1Fault)
    /// A response that is sent unchanged.
    case response(Response)
    /// A wrong guess at a code: it is counted, and then answered with the refusal.
    indirect case wrongCode(Guessing, Refusal)

    func response(trace: String, origin: String) -> Response {
        switch self {
        case .wrongCode(_, let refusal): return refusal.response(trace: trace, origin: origin)
        case .enhanced(let code, let status, let details):
            return .json(
                code.object(status: nil, details: details, trace: trace, origin: origin), status: status ?? code.status)
        case .oauth(let error, let status): return .json(["error": .string(error)], status: status)
        case .unauthorized:
            return .json(
                ["error": "access_denied"], status: 401,
                headers: [Field("WWW-Authenticate", "Bearer error=\"invalid_token\"")])
        case .badRequest(let reason):
            return .json(
                [
                    "status": 400, "code": "bad_request", "action": "none", "message": .string(reason),
                    "trace": .string(trace),
                ], status: 400)
        case .v1(let fault): return V1.answer(fault, isEnhanced: true, nil, trace: trace, origin: origin)
        case .response(let response): return response
        }
    }
}

extension ErrorCode {
    func object(status: Int? = nil, details: String? = nil, trace: String, origin: String) -> JSONValue {
        .members([
            "status": .int(Int64(status ?? self.status)), "code": .string(rawValue), "action": .string(action),
            "message": .string(message), "details": details.map(JSONValue.string),
            "helpUrl": .string("\(origin)/errors#\(rawValue)"), "trace": .string(trace),
        ])
    }
}
