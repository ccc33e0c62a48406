// Identifies the viewer of a promotional temporary pass: one key, whose value the app has hashed. What is obviously an
// e-mail address is refused, because it would reveal who the viewer is. Contract: rest-v1.md §9.2, rest-v2.md §3.9,
// open-questions.md OQ-46.

import AccessEnabler
import FoundationEssentials

struct TemporaryIdentity: Sendable {
    /// A JSON object; nil if the app has sent no identity.
    let json: String?

    /// The JSON in Base64, which is not encoded again.
    var header: String? { json.map { Data($0.utf8).base64EncodedString() } }

    init(_ members: [String: String]) throws(BackendFault) {
        guard members.count <= 1 else { throw Self.refusal("more than one key") }
        guard !members.contains(where: { ($0.key + $0.value).utf8.contains(UInt8(ascii: "@")) }) else {
            throw Self.refusal("an address, where the hash of one belongs")
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        json = members.isEmpty ? nil : (try? encoder.encode(members)).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func refusal(_ reason: String) -> BackendFault {
        BackendFault(
            .refused(
                ServiceError(
                    status: 400, code: "invalid_header_identity_for_temporary_access", actionName: "none",
                    message: "the identity of a temporary pass is not sent: \(reason)")))
    }
}
