// The identity of a viewer for a promotional temporary pass: one name with one value. The value is a hash that the app has
// computed. A plain e-mail address is refused, because it would identify the viewer. Contract: rest-v1.md §9.2, rest-v2.md
// §3.9, open-questions.md OQ-46.

import AccessEnabler
import PassJSON

struct TemporaryIdentity: Sendable {
    /// The identity as a JSON object. Nil if the app has given no identity.
    let json: String?

    /// The JSON object, encoded once as Base64.
    var header: String? { json.map { $0.utf8.base64 } }

    init(_ members: [String: String]) throws(BackendFault) {
        guard members.count <= 1 else { throw Self.refusal("it has more than one key") }
        guard !members.contains(where: { ($0.key + $0.value).utf8.contains(UInt8(ascii: "@")) }) else {
            throw Self.refusal("an e-mail address instead of the hash of one")
        }
        json = members.first.map { name, value in
            String(decoding: JSONWriter.bytes(.object(JSONObject([(name, .string(value))]))), as: UTF8.self)
        }
    }

    private static func refusal(_ reason: String) -> BackendFault {
        BackendFault(
            .refused(
                ServiceError(
                    status: 400, code: "invalid_header_identity_for_temporary_access", actionName: "none",
                    message: "the identity for the temporary pass was not sent: \(reason)")))
    }
}
