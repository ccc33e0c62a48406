// The verbs for developers and shells.

import CCompletion
import PassArguments
import PassClient
import PassJSON
import PassProtocol

extension Verb {
    static let call = Verb(
        "call", "call a method and print its result as JSON", operands: [.method, Operand("KEY=VALUE", .any)],
        details: """
            A VALUE that is valid JSON is sent as JSON; any other VALUE is sent as a string. Write '"1"' for the \
            string 1. If the method needs a requestor, passd-cli calls setRequestor first. passd-cli sends admin \
            methods to the admin socket.
            """
    ) { invocation in
        let method = invocation.arguments.operands[0]
        let params = try params(invocation.arguments)
        let definition = MethodTable.find(method)?.definition
        let client =
            definition?.capability == .observe && invocation.requestor == nil
            ? try await invocation.connectToObserve() : try await invocation.connect(definition?.socket ?? .api)
        if definition?.needsRequestor == true {
            // Without a requestor, the call is made anyway. The daemon says what is missing.
            let only = invocation.requestor == nil ? try? await invocation.permission(of: client).onlyRequestor : nil
            if let requestor = invocation.requestor ?? only {
                _ = try await client.call(SetRequestor.self, .init(requestorID: requestor))
            }
        }
        let result = try await client.call(method, params)
        let text = invocation.console.output.isTerminal ? JSONText.pretty(result) : JSONText.line(result)
        return Outcome(data: result, text: invocation.console.isASCII ? Charset.ascii(json: text) : text)
    }

    static func params(_ arguments: Arguments) throws(Mistake) -> JSONValue {
        var params = JSONObject()
        for word in arguments.operands.dropFirst() {
            guard let (name, text) = word.parted(at: "="), !name.isEmpty else {
                throw Mistake("\"\(word)\" is not a parameter.", remedy: "Write KEY=VALUE.")
            }
            guard params[name] == nil else { throw arguments.mistake("\(name) is given twice.") }
            params.append(name, JSONText.read(text) ?? .string(text))
        }
        return .object(params)
    }

    static let completion = Verb(
        "completion", "print a completion script for a shell",
        operands: [Operand("bash|zsh|fish")],
        details: """
            If the package has not installed the script for bash, add source <(passd-cli completion bash) to ~/.bashrc.
            """
    ) { invocation in
        let name = invocation.arguments.operands[0]
        let script = String(cString: pass_completion(name))
        return Outcome(data: ["shell": .string(name), "script": .string(script)], text: String(script.dropLast()))
    }

    /// The verb for completion scripts. This verb must be fast and have no effects. It waits less than half a second for the
    /// daemon. Without an answer, it prints nothing. For this verb, the daemon registers no app and does not ask the service.
    static let complete = Verb(
        "complete", "list names that the daemon remembers, for completion scripts",
        operands: [Operand("requestors|providers|resources")],
        details: """
            --requestor limits the names to one requestor. Omits requestors that policy does not allow. Only users who \
            may open the admin socket get resources. Prints nothing if the daemon does not answer within half a \
            second. Registers no app and does not ask the service.
            """
    ) { invocation in
        let name = invocation.arguments.operands[0]
        var quick = invocation
        quick.time = min(invocation.time, .milliseconds(200))
        let result = try? await quick.connectToObserve().call(
            Suggestions.self, .init(requestorID: invocation.requestor))
        // Names that a person cannot type as one word in a shell are left out: names with blanks or control characters.
        let words = (result?.list(name) ?? []).compactMap(\.string).filter { word in
            word.onOneLine.isWritten(as: word) && !word.isEmpty && !word.contains(where: \.isWhitespace)
        }
        return Outcome(data: [name: .strings(words)], text: words.joined(separator: "\n"))
    }
}
