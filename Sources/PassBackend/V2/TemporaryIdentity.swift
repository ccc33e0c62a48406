// By what a promotional temporary pass knows its viewer: one key, its value hashed by the app. What is plainly an
// address is not sent: it would tell who the viewer is. Contract: rest-v2.md §3.9, open-questions.md OQ-46.

import AccessEnabler
import FoundationEssentials

struct TemporaryIdentity: Sendable {
    /// Base64 of a JSON object, once; nil if the app has told nothing.
    let header: String?

    init(_ members: [String: String]) throws(BackendFault) {
        guard members.count <= 1 else { throw Self.refusal("more than one key") }
        guard !members.contains(where: { $0.key.contains("@") || $0.value.contains("@") }) else {
            throw Self.refusal("an address, where the hash of one belongs")
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        header = members.isEmpty ? nil : (try? encoder.encode(members))?.base64EncodedString()
    }

    private static func refusal(_ reason: String) -> BackendFault {
        BackendFault(
            .refused(
                EnhancedError(
                    status: 400, code: "invalid_header_identity_for_temporary_access", actionName: "none",
                    message: "the identity of a temporary pass is not sent: \(reason)")))
    }
}
