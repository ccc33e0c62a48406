// `config show`: prints the configuration in force, in the form of the files. Each value has its origin.

import PassArguments
import PassClient
import PassJSON
import PassProtocol

extension Option {
    static let changed = Option("--changed", help: "show only settings that differ from the default")
}

extension Verb {
    static let configShow = Verb(
        "config show", "show the configuration in force, and where each value comes from",
        options: [.changed],
        details: """
            Prints each setting with its origin: a file and line, a flag of the daemon's command line, or default. \
            Also prints the apps' sections (stanzas). If the files have changed since passd read them, prints each \
            difference, and says whether it needs a reload or a restart. Shows finish-url in full, activation-url \
            without its query, and only scheme, host and port of all other addresses.
            """
    ) { invocation in
        let result = try await invocation.ask(ConfigurationInForce.self)
        let isChanged = invocation.arguments.has(.changed)
        let settings = result.list("settings")
        let members = result.members.map { member in
            member.name == "settings" && isChanged
                ? .init(name: member.name, value: .array(settings.filter { $0.holds("isChanged") })) : member
        }
        let data = JSONValue.object(JSONObject(members))
        return Outcome(
            data: data, text: configurationText(data, invocation.paint),
            notes: settings.compactMap(pending) + result.texts("differences").map { "In the files now: \($0)" })
    }

    static func configurationText(_ result: JSONValue, _ paint: Paint) -> String {
        let settings = result.list("settings")
        var names: [String] = []
        for setting in settings {
            if let name = setting.text("section"), !names.contains(name) { names.append(name) }
        }
        let sections = names.map { name in
            paragraph(
                "[\(name)]", origin: nil, lines: settings.filter { $0.text("section") == name }.map(line), paint)
        }
        return (sections + result.list("apps").map { app($0, paint) }).joined(separator: "\n\n")
    }

    private typealias Line = (text: String, origin: String?)

    private static func line(_ setting: JSONValue) -> Line {
        ("\(setting.word("key")) = \(setting.word("value"))", setting.word("origin"))
    }

    private static func app(_ app: JSONValue, _ paint: Paint) -> String {
        let lines: [Line] = [
            ("requestors", "requestors"), ("software-statement", "statement"), ("allow", "allow"), ("may", "may"),
            ("activation-url", "activationURL"), ("domain-name", "domainName"), ("redirect-url", "redirectURL"),
            ("finish-url", "finishURL"),
        ].compactMap { key, name in
            let text = app[name]?.array == nil ? app.text(name) : app.texts(name).joined(separator: " ")
            return text.map { ("\(key) = \($0)", app["origins"]?.text(key)) }
        }
        return paragraph("[app \(app.word("name"))]", origin: app.text("origin"), lines: lines, paint)
    }

    /// A paragraph in the form of the files. The origins are aligned comments.
    private static func paragraph(_ title: String, origin: String?, lines: [Line], _ paint: Paint) -> String {
        let width = min(48, lines.filter { $0.origin != nil }.map(\.text.count).max() ?? 0)
        let heading = paint.strong(title) + (origin.map { "  # \($0)" } ?? "")
        return
            ([heading]
            + lines.map { line in line.origin.map { line.text.padded(to: width) + "  # \($0)" } ?? line.text })
            .joined(separator: "\n")
    }

    /// The value of a setting in the files, if it differs from the value in force.
    private static func pending(_ setting: JSONValue) -> String? {
        guard let now = setting["inFiles"] else { return nil }
        let way = setting.text("effect") == "after a restart" ? "a restart of passd" : "passd-cli reload"
        return "[\(setting.word("section"))] \(setting.word("key")) is \(now.word("value")) "
            + "(\(now.word("origin"))) in the files now; \(way) puts it into force."
    }
}
