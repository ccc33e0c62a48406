// `providers`: lists the providers that the viewer may sign in with.

import PassClient
import PassProtocol

extension Option {
    static let tempPass = Option(name: "--temp-pass", help: "temporary passes too")
}

extension Verb {
    static let providers = Verb(
        name: "providers", summary: "list the requestor's TV providers", options: [.tempPass],
        details: "Prints the ID and the name of each."
    ) { invocation in
        let client = try await invocation.entitledSession()
        let result = try await client.call(
            ListProviders.self, .init(includeTempPass: invocation.arguments.has(.tempPass)))
        let providers = MVPD.list(reading: result)
        return Outcome(
            data: result,
            text: Table.columns(
                providers.map { [$0.id.onOneLine, $0.displayName.onOneLine] }, paint: invocation.paint),
            notes: providers.isEmpty ? ["This requestor has no providers."] : [])
    }
}
