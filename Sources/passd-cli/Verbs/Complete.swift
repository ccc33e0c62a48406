// `complete`: lists what the daemon remembers, for the completion scripts. It has to be quick and must not disturb: it
// waits less than half a second, says nothing if the daemon does not answer, and has nothing registered or asked.

import PassClient
import PassJSON
import PassProtocol

/// What the daemon knows words of, by the names in the result of `passd.suggestions`.
enum KnownWords: String, Sendable, CaseIterable { case requestors, providers, resources }

extension Verb {
    private static let patience = Duration.milliseconds(200)

    static let complete: Verb = Verb(
        name: "complete", summary: "list names that the daemon remembers, for completion scripts",
        operands: [Operand(KnownWords.allCases.map(\.rawValue).joined(separator: "|"))],
        details: """
            Prints the requestors that policy allows, or the providers or resources that the daemon remembers, of --requestor if \
            it is given; resources only to those who may open the admin socket. Prints nothing if the daemon does not answer \
            within half a second. No app is registered, and the service is not asked.
            """
    ) { invocation in
        let name = invocation.arguments.operands[0]
        guard KnownWords(rawValue: name) != nil else {
            throw Failure.usage("passd does not list \"\(name)\".", Verb.complete)
        }
        let result = try? await suggestions(invocation)
        // Shells take a line as a word, and a person has to be able to type it.
        let words = (result?[name]?.array ?? []).compactMap(\.string).filter { word in
            word.onOneLine.isWritten(as: word) && !word.isEmpty && !word.contains(where: \.isWhitespace)
        }
        return Outcome(data: [name: .strings(words)], text: words.joined(separator: "\n"))
    }

    /// The admin socket knows more. Not everybody may open it.
    private static func suggestions(_ invocation: Invocation) async throws(ClientFault) -> JSONValue {
        let time = min(invocation.time, patience)
        let client: Client
        do throws(ClientFault) {
            client = try await Client.connect(to: invocation.sockets.admin, within: time)
        } catch {
            switch error {
            case .forbidden, .unreachable: client = try await Client.connect(to: invocation.sockets.api, within: time)
            default: throw error
            }
        }
        return try await client.call(Suggestions.self, .init(requestorID: invocation.requestor))
    }
}
