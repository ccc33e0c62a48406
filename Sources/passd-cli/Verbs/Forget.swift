// `forget`: removes logins from this device. It has to be told which ones, so that the bare word does not remove all.

import PassClient
import PassJSON
import PassProtocol

extension Option {
    static let all = Option(name: "--all", help: "the logins of every requestor and provider")
}

extension Verb {
    static let forget: Verb = Verb(
        name: "forget", summary: "remove logins from this device only", options: [.provider, .all],
        details: "Select them with --requestor, with --provider, with both together, or with --all."
    ) { invocation in
        let arguments = invocation.arguments
        var params = Forget.Params()
        if arguments.has(.all) {
            guard !arguments.has(.requestor), !arguments.has(.provider) else {
                throw Failure.usage("--all cannot be combined with --requestor or --provider.", Verb.forget)
            }
        } else {
            params = Forget.Params(requestorID: invocation.requestor, provider: arguments[.provider])
            guard params != Forget.Params() else {
                throw Failure.usage(
                    "No logins are selected.", remedy: "Use --requestor ID, --provider ID or --all.")
            }
        }
        let result = try await invocation.connect(.admin).call(Forget.self, params)
        let count = result["forgotten"]?.int64 ?? 0
        return Outcome(
            data: result, text: count == 1 ? "Removed 1 login." : "Removed \(count) logins.",
            notes: Verb.undurable(result))
    }
}
