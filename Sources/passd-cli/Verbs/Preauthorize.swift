// `preauthorize`: prints hints for menus, one line for each resource.

import PassClient
import PassJSON
import PassProtocol

extension Verb {
    static let preauthorize = Verb(
        name: "preauthorize", summary: "show which resources would be permitted",
        operands: [Operand("RESOURCE", .some, known: .resources)],
        details: "Exits with 3 if none of them would be. The answer is a hint for menus; playback needs authorize."
    ) { invocation in
        let client = try await invocation.entitledSession()
        let result = try await client.call(Preauthorize.self, .init(resources: invocation.arguments.operands))
        let decisions = result["decisions"]?.array ?? []
        let paint = invocation.paint
        if let status = result["status"] {
            let whole: JSONValue = ["error": status]
            return Outcome(
                exit: .no, data: result, text: Verb.needsLogin(whole) ? Verb.nobody : Verb.refusal(whole).onOneLine)
        }
        let rows = decisions.map { decision in
            let isPermitted = decision["authorized"]?.bool == true
            return [
                isPermitted ? paint.good("yes") : paint.bad("no "), decision["id"]?.string?.onOneLine ?? "",
                isPermitted || decision["error"] == nil ? "" : Verb.refusal(decision).onOneLine,
            ]
        }
        return Outcome(
            exit: decisions.contains { $0["authorized"]?.bool == true } ? .done : .no, data: result,
            text: Table.columns(rows, paint: paint))
    }
}
