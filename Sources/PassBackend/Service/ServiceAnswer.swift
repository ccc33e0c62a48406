// Reads the answers of the service, in REST V1 and REST V2. Ignores defects in parts that passd does not need, so that these
// defects do not lock viewers out. Contract: rest-v2.md §1.3, §6.4, §20; dcr.md §6.

import AccessEnabler
import PassJSON
import PassProtocol

/// Thrown if a value of the answer is missing or has the wrong form. No caller needs to know which value.
struct AnswerFault: Error {}

protocol ServiceAnswer: Sendable {
    /// Throws if the value is not such an answer.
    init(_ json: JSONValue) throws
    /// The part that is too large to be stored, in words. Nil if the whole answer can be stored. A part that is too
    /// large makes the answer unusable.
    var excess: String? { get }
    /// The answer that an empty body stands for; nil if there is none. Older servers send an empty body instead of an error.
    /// Contract: rest-v2.md D1, D2.
    static var empty: Self? { get }
}

extension ServiceAnswer {
    var excess: String? { nil }
    static var empty: Self? { nil }

    /// Nil if the body is not such an answer.
    init?(body: [UInt8]) {
        guard let json = JSONValue(answer: body), let answer = try? Self(json) else { return nil }
        self = answer
    }

    /// Reads an HTTP answer. The status decides whether the body is read as an answer or as an error.
    static func read(
        _ response: HTTPResponse, refusal: (HTTPResponse) -> ServiceError? = { ServiceError($0.body) }
    ) -> Result<Self, CallTrouble> {
        guard [200, 201, 204].contains(response.status) else { return .failure(CallTrouble(response, refusal)) }
        if response.body.isEmpty, let empty = Self.empty { return .success(empty) }
        guard let answer = Self(body: response.body) else { return .failure(.fault(.unusable(response))) }
        return answer.excess.map { .failure(.fault(.unusable($0))) } ?? .success(answer)
    }
}

/// The reason why a call has no usable answer. This reason determines the next step. Contract: dcr.md §6, rest-v2.md §6.4.
enum CallTrouble: Error, Sendable {
    /// The access token is refused. The call is repeated with a new token.
    case tokenRefused(ServiceError?)
    /// The registration is refused. The call is repeated after a new registration.
    case clientRefused
    case throttled
    case fault(BackendFault)

    /// A 401 is always about the access token. A 403 is about the registration only if the body says so. `refusal` reads the
    /// error in answers with other statuses. `refusal` returns nil if the answer is not from the service.
    init(_ response: HTTPResponse, _ refusal: (HTTPResponse) -> ServiceError?) {
        switch response.status {
        case 401: self = .tokenRefused(ServiceError(response.body))
        case 429: self = .throttled
        case 500...599:
            // With a 500, the service may also report a wrong configuration, for which a retry does not help.
            if let error = ServiceError(response.body), error.action == .configuration {
                self = .fault(.refused(error))
            } else {
                self = .fault(.serverError(response))
            }
        case _ where response.isDeadClient: self = .clientRefused
        default:
            guard let error = refusal(response) else {
                self = .fault(.unusable(response))
                return
            }
            self = error.action == .applicationRegistration ? .tokenRefused(error) : .fault(.refused(error))
        }
    }
}

extension JSONValue {
    /// The limits for the JSON of an answer. The depth is limited so that the stack does not overflow. The number of values
    /// has no limit of its own, because the length of the answer is limited.
    private static let answerLimits = JSONLimits(depth: 512, values: .max)

    /// Nil if the body is not JSON.
    init?(answer body: [UInt8]) {
        guard let value = try? JSONReader.readLeniently(body, limits: Self.answerLimits) else { return nil }
        self = value
    }

    /// Reads a member. Throws if it is missing or has the wrong form.
    func member<Value>(_ name: String, _ read: (JSONValue) throws -> Value?) throws -> Value {
        guard let value = try self[name].flatMap(read) else { throw AnswerFault() }
        return value
    }

    /// Reads a member. Returns nil if it is missing or null, and throws if it has the wrong form.
    func optional<Value>(_ name: String, _ read: (JSONValue) throws -> Value?) throws -> Value? {
        guard let object else { throw AnswerFault() }
        guard let value = object[name], !value.isNull else { return nil }
        guard let found = try read(value) else { throw AnswerFault() }
        return found
    }

    var strings: [String]? {
        guard let array else { return nil }
        let texts = array.compactMap(\.string)
        return texts.count == array.count ? texts : nil
    }

    /// A time in milliseconds. It is a string in session answers and an integer elsewhere. Both forms are accepted everywhere.
    /// Times before 1970 or after the year 9999 are clamped, so that later arithmetic cannot overflow.
    var time: ServerTime? {
        (int64 ?? string.flatMap { Int64($0) }).map(ServerTime.init(clamping:))
    }
}

extension ServerTime {
    /// The end of the year 9999.
    private static let last: Int64 = 253_402_300_799_999

    init(clamping milliseconds: Int64) { self.init(milliseconds: min(max(0, milliseconds), Self.last)) }
}

extension JSONObject {
    /// Reads all members. Leaves out members for which `read` returns nil. If several members have the same name, the first one
    /// counts.
    func values<Value>(_ read: (JSONValue) throws -> Value?) rethrows -> [String: Value] {
        try Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }.compactMapValues(read)
    }
}
