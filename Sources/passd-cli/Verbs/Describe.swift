// `describe`: describes the methods, callbacks and events of the socket, from the OpenRPC document of the daemon, and
// every other name that an app meets in its answers.

import PassClient
import PassJSON
import PassProtocol

extension Operand {
    static func method(_ count: Count = .one) -> Operand {
        Operand("METHOD", count, words: MethodTable.all.map { $0.definition.name })
    }

    /// What has a page of its own; words and members of answers would be too many to choose from.
    static let described = Operand(
        "NAME", .optional,
        words: MethodTable.all.map { $0.definition.name } + CallbackTable.all.map(\.name)
            + EventType.allCases.map(\.rawValue) + ErrorName.named.map(\.text) + SDKStatus.known.map(\.rawValue)
            + OpenRPCDocument.typeNames)
}

extension Verb {
    static let describe = Verb(
        name: "describe", summary: "list the methods, callbacks and events, or explain one", operands: [.described],
        details: """
            It also explains errors (DENIED), statuses (N130), codes of a refusal (authorization_denied_by_mvpd), types \
            (QR), and members and words of answers (display, expired). With --json, prints an OpenRPC document.
            """
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
            return Outcome(data: document, text: (parts + [others(document)]).joined(separator: "\n\n"))
        }
        let explanations = Explanations(document)
        var pages: [String] = []
        var data: JSONValue?
        for (_, member, key) in chapters where data == nil {
            guard let found = document[member]?.array?.first(where: { $0[key]?.string == name }) else { continue }
            pages.append(MethodPage(found, named: key, document: document, paint: invocation.paint).text)
            data = found
        }
        let entries = explanations.entries(name)
        pages += entries.map { ExplanationPage($0, document: document, paint: invocation.paint).text }
        if !pages.isEmpty {
            return Outcome(data: data ?? ["entries": .array(entries)], text: pages.joined(separator: "\n\n"))
        }
        let names =
            chapters.flatMap { _, member, key in (document[member]?.array ?? []).compactMap { $0[key]?.string } }
            + explanations.names
        throw Failure.usage(
            "There is nothing named \"\(name)\".",
            remedy: nearest(name, names, else: "passd-cli describe lists the methods, callbacks and events."))
    }

    /// The names of errors, statuses and types, without what they mean.
    private static func others(_ document: JSONValue) -> String {
        func names(_ kind: String) -> [String] {
            (document["components"]?[kind]?.object?.members ?? []).map(\.name.onOneLine)
        }
        let lists = [
            ("errors", names("errors").filter { $0 != ErrorName.unansweredEntry }),
            ("statuses", SDKStatus.known.map(\.rawValue)), ("types", names("schemas")),
        ]
        return lists.filter { !$1.isEmpty }.map { "\($0):\n  \($1.joined(separator: ", "))" }.joined(separator: "\n\n")
    }
}
