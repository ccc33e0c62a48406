// `describe`: describes the methods, callbacks and events of the socket, and all other names in answers. The descriptions come
// from the daemon's OpenRPC document.

import PassArguments
import PassClient
import PassJSON
import PassProtocol

extension Operand {
    /// The name to describe, with the names for completion. There are too many words and members of answers, so completion
    /// leaves them out.
    fileprivate static let described = Operand(
        "NAME", .optional,
        words: MethodTable.all.map { $0.definition.name } + CallbackTable.all.map(\.name)
            + EventType.allCases.map(\.rawValue) + ErrorName.named.map(\.text) + SDKStatus.known.map(\.rawValue)
            + Component.all.map(\.name))
}

extension Verb {
    /// The chapters of the list. Each chapter has three parts: its heading, the member of the document that contains its
    /// entries, and the member of an entry that contains the entry's name.
    private static let chapters = [
        ("methods", "methods", "name"), ("callbacks", "x-passd-callbacks", "name"),
        ("events", "x-passd-events", "type"),
    ]

    static let describe = Verb(
        "describe", "list the methods, callbacks and events, or explain one of them", operands: [.described],
        details: """
            NAME may also be an error (DENIED), a status (N130), the code of a refusal (authorization_denied_by_mvpd), \
            a type (QR), or a member or word of an answer (display, expired). With --json, prints an OpenRPC document.
            """
    ) { invocation in
        let document = try await invocation.ask(Discover.self)
        guard let name = invocation.arguments.operands.first else {
            let parts = chapters.compactMap { heading, member, key -> String? in
                let rows = document.list(member).map { [$0.word(key), $0.word("summary")] }
                return rows.isEmpty ? nil : "\(heading):\n" + Table.columns(rows, paint: invocation.paint)
            }
            return Outcome(data: document, text: (parts + [others(document)]).joined(separator: "\n\n"))
        }
        let explanations = Explanations(document)
        let entries = explanations.entries(name)
        let found = chapters.lazy.compactMap { _, member, key in
            document.list(member).first { $0[key]?.string == name }.map { (key, $0) }
        }.first
        let page = Pages(document, invocation.paint)
        let pages = [found.map { page.method($1, named: $0) }].compactMap(\.self) + entries.map(page.entry)
        guard pages.isEmpty else {
            return Outcome(data: found?.1 ?? ["entries": .array(entries)], text: pages.joined(separator: "\n\n"))
        }
        let names = chapters.flatMap { _, member, key in document.list(member).compactMap { $0[key]?.string } }
        throw Mistake(
            "There is nothing named \"\(name)\".", name, among: names + explanations.names,
            else: "passd-cli describe lists the methods, callbacks and events.")
    }

    /// The names of errors, statuses and types, without their meanings.
    private static func others(_ document: JSONValue) -> String {
        func names(_ kind: String) -> [String] {
            (document["components"]?[kind]?.members ?? []).map(\.name.onOneLine)
        }
        let lists = [
            ("errors", names("errors").filter { $0 != ErrorName.unansweredEntry }),
            ("statuses", SDKStatus.known.map(\.rawValue)), ("types", names("schemas")),
        ]
        return lists.filter { !$1.isEmpty }.map { "\($0):\n  \($1.joined(separator: ", "))" }.joined(separator: "\n\n")
    }
}
