// `describe`: describes the methods, callbacks and events of the socket, from the OpenRPC document of the daemon.

import PassClient
import PassProtocol

extension Operand {
    static func method(_ count: Count = .one) -> Operand {
        Operand("METHOD", count, words: MethodTable.all.map { $0.definition.name })
    }

    /// Whatever the document describes.
    static let described = Operand(
        "NAME", .optional,
        words: MethodTable.all.map { $0.definition.name } + CallbackTable.all.map(\.name)
            + EventType.allCases.map(\.rawValue))
}

extension Verb {
    static let describe = Verb(
        name: "describe", summary: "list the methods, callbacks and events, or explain one", operands: [.described],
        details: "With --json, prints an OpenRPC document."
    ) { invocation in
        let document = try await invocation.connect().call(Discover.self)
        // By the heading in the list, and the member that has the name.
        let chapters = [
            ("methods", "methods", "name"), ("callbacks", "x-passd-callbacks", "name"),
            ("events", "x-passd-events", "type"),
        ]
        guard let name = invocation.arguments.operands.first else {
            let parts = chapters.compactMap { heading, member, key -> String? in
                let rows = (document[member]?.array ?? []).map {
                    [$0[key]?.string ?? "", $0["summary"]?.string ?? ""].map(\.onOneLine)
                }
                return rows.isEmpty ? nil : "\(heading):\n" + Table.columns(rows, paint: invocation.paint)
            }
            return Outcome(data: document, text: parts.joined(separator: "\n\n"))
        }
        for (_, member, key) in chapters {
            guard let found = document[member]?.array?.first(where: { $0[key]?.string == name }) else { continue }
            let page = MethodPage(found, named: key, document: document, paint: invocation.paint)
            return Outcome(data: found, text: page.text)
        }
        let names = chapters.flatMap { _, member, key in (document[member]?.array ?? []).compactMap { $0[key]?.string }
        }
        throw Failure.usage(
            "The daemon has nothing named \"\(name)\".",
            remedy: nearest(name, names, else: "passd-cli describe lists all names."))
    }
}
