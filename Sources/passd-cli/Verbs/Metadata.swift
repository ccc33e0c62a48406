// `metadata`: prints one value, without quotes or a name.

import PassClient
import PassJSON
import PassProtocol

extension Option {
    static let resource = Option(
        name: "--resource", value: "RESOURCE", help: "the resource for the key authorization", known: .resources)
}

extension Verb {
    static let metadata = Verb(
        name: "metadata", summary: "print one piece of metadata",
        operands: [Operand("KEY", words: ["authentication", "authorization", "device-id"])], options: [.resource],
        details: """
            KEY is authentication (when the sign-in ends), authorization (when the authorization of --resource ends), \
            device-id, or the name of a value about the user, such as zip. Exits with 3 if there is no such value.
            """
    ) { invocation in
        let question = try question(invocation.arguments)
        let result = try await invocation.entitledSession().call(GetMetadata.self, question)
        let value = result["metadata"] ?? .null
        var outcome = Outcome(data: result)
        if value.isNull {
            outcome.exit = .no
            outcome.notes = ["There is no such value."]
        } else {
            let text = value.string ?? JSONText.line(value)
            outcome.text = invocation.console.output.isTerminal ? text.onOneLine : text
        }
        if result["encrypted"]?.bool == true {
            outcome.notes.append("The value is encrypted; only the programmer's private key decrypts it.")
        }
        return outcome
    }

    private static func question(_ arguments: Arguments) throws(Failure) -> GetMetadata.Params {
        let word = arguments.operands[0]
        let isAuthorization = ["authorization", GetMetadata.Key.authorization.rawValue].contains(word)
        if let resource = arguments[.resource] {
            guard isAuthorization else {
                throw Failure.usage("--resource is only for the key authorization.", Verb.metadata)
            }
            return .authorization(resource: resource)
        }
        switch word {
        case "authentication", GetMetadata.Key.authentication.rawValue: return .authentication
        case "device-id", GetMetadata.Key.deviceID.rawValue: return .deviceID
        case _ where isAuthorization:
            throw Failure.usage("authorization needs a resource.", remedy: "Name it with --resource RESOURCE.")
        case GetMetadata.Key.userMetadata.rawValue:
            throw Failure.usage(
                "\(word) is not the name of a value.", remedy: "Give the name of the value itself, such as zip.")
        default: return .userMetadata(name: word)
        }
    }
}
