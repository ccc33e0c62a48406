// `call`: calls any method of the socket by name, to try it out and for scripts.

import PassClient
import PassJSON
import PassProtocol

extension Verb {
    static let call = Verb(
        name: "call", summary: "call a method and print its result as JSON",
        operands: [.method(), Operand("KEY=VALUE", .any)],
        details: """
            A value that is valid JSON is sent as JSON, any other value as a string; to send the string 1, write \
            '"1"'. If the method needs a requestor, passd-cli calls setRequestor first. Admin methods go to the admin socket. describe lists the methods.
            """
    ) { invocation in
        let method = invocation.arguments.operands[0]
        let params = try params(invocation.arguments.operands.dropFirst())
        let definition = MethodTable.find(method)?.definition
        let isForObservers = definition?.capability == .observe && invocation.requestor == nil
        let client =
            isForObservers
            ? try await invocation.connectToObserve() : try await invocation.connect(definition?.socket ?? .api)
        if definition?.needsRequestor == true, let requestor = await knownRequestor(invocation, client) {
            _ = try await client.call(SetRequestor.self, .init(requestorID: requestor))
        }
        let result = try await client.call(method, params)
        let text = invocation.console.output.isTerminal ? JSONText.pretty(result) : JSONText.line(result)
        return Outcome(data: result, text: invocation.console.isASCII ? Charset.ascii(json: text) : text)
    }

    static func params(_ words: some Sequence<String>) throws(Failure) -> JSONValue {
        var params = JSONObject()
        for word in words {
            guard let (name, text) = word.parted(at: "="), !name.isEmpty else {
                throw Failure.usage("\"\(word)\" is not a parameter.", remedy: "Write KEY=VALUE.")
            }
            guard params[name] == nil else { throw Failure.usage("\(name) is given twice.", Verb.call) }
            params.append(name, JSONText.read(text) ?? .string(text))
        }
        return .object(params)
    }

    /// The requestor to set before the call. Without one the call is made anyway, and the daemon says what is missing.
    private static func knownRequestor(_ invocation: Invocation, _ client: Client) async -> String? {
        if let requestor = invocation.requestor { return requestor }
        guard let identity = try? await client.call(WhoAmI.self) else { return nil }
        return Permission(reading: identity).onlyRequestor
    }
}
