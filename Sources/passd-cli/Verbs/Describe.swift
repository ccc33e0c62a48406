// `describe`: describes the methods of the socket, from the OpenRPC document of the daemon.

import PassClient
import PassProtocol

extension Operand {
    static func method(_ count: Count = .one) -> Operand {
        Operand("METHOD", count, words: MethodTable.all.map { $0.definition.name })
    }
}

extension Verb {
    static let describe = Verb(
        name: "describe", summary: "list the methods, or explain one", operands: [.method(.optional)],
        details: "With --json, prints an OpenRPC document."
    ) { invocation in
        let document = try await invocation.connect().call(Discover.self)
        let methods = document["methods"]?.array ?? []
        guard let name = invocation.arguments.operands.first else {
            let rows = methods.map { [$0["name"]?.string ?? "", $0["summary"]?.string ?? ""].map(\.onOneLine) }
            return Outcome(data: document, text: Table.columns(rows, paint: invocation.paint))
        }
        guard let method = methods.first(where: { $0["name"]?.string == name }) else {
            throw Failure.usage(
                "The daemon has no method \"\(name)\".",
                remedy: nearest(
                    name, methods.compactMap { $0["name"]?.string }, else: "passd-cli describe lists them."))
        }
        return Outcome(data: method, text: MethodPage(method, document: document, paint: invocation.paint).text)
    }
}
