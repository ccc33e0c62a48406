// `tokens`: lists what is stored, without any secret.

import PassClient
import PassJSON
import PassProtocol

extension Verb {
    static let tokens = Verb(name: "tokens", summary: "list what is stored, without the secrets") { invocation in
        let result = try await invocation.connect(.admin).call(Tokens.self)
        let tokens = result["tokens"]?.array ?? []
        return Outcome(
            data: result, text: Table.columns(tokens, paint: invocation.paint),
            notes: tokens.isEmpty ? ["Nothing is stored."] : [])
    }
}
