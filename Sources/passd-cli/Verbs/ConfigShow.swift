// `config show`: prints the configuration in force with the origin of each value, in the form of the files.

import PassClient
import PassJSON
import PassProtocol

extension Option {
    static let effective = Option(
        name: "--effective", help: "all settings, also those that have their default; the default")
    static let changed = Option(
        name: "--changed", help: "only settings that were set to something else than the default")
}

extension Verb {
    static let configShow: Verb = Verb(
        name: "config show", summary: "show the configuration in force, and where each value comes from",
        options: [.effective, .changed],
        details: """
            Behind each setting stands the file and line that set it, the flag of the daemon's command line, or default. The app \
            stanzas follow. If the files say something else now, that is printed too, with what it takes to put it into force. \
            Of addresses but finish-url only scheme, host and port are shown, and of software statements only the place.
            """
    ) { invocation in
        let arguments = invocation.arguments
        guard !arguments.has(.effective) || !arguments.has(.changed) else {
            throw Failure.usage("--effective and --changed exclude each other.", Verb.configShow)
        }
        let result = try await invocation.connect(.admin).call(ConfigurationInForce.self)
        let all = result["settings"]?.array ?? []
        let settings = all.filter { !arguments.has(.changed) || $0["isChanged"]?.bool == true }
        let data = JSONObject(
            (result.object?.members ?? []).map {
                $0.name == "settings" ? .init(name: $0.name, value: .array(settings)) : $0
            })
        return Outcome(
            data: .object(data), text: configurationText(.object(data), invocation.paint),
            notes: pending(all) + differences(result))
    }

    static func configurationText(_ result: JSONValue, _ paint: Paint) -> String {
        let sections =
            (result["settings"]?.array ?? []).grouped(by: { $0["section"]?.string ?? "" }).map { name, settings in
                paragraph("[\(name.onOneLine)]", origin: nil, lines: settings.map(line), paint)
            } + (result["apps"]?.array ?? []).map { app($0, paint) }
        return sections.joined(separator: "\n\n")
    }

    private typealias Line = (text: String, origin: String?)

    private static func line(_ setting: JSONValue) -> Line {
        let words = ["key", "value", "origin"].map { setting[$0]?.string?.onOneLine ?? "" }
        return ("\(words[0]) = \(words[1])", words[2])
    }

    private static func app(_ app: JSONValue, _ paint: Paint) -> String {
        func list(_ name: String) -> String? {
            app[name]?.array.map { $0.compactMap(\.string).joined(separator: " ") } ?? app[name]?.string
        }
        let lines: [Line] = [
            ("requestors", "requestors"), ("software-statement", "statement"), ("allow", "allow"), ("may", "may"),
            ("activation-url", "activationURL"), ("domain-name", "domainName"), ("redirect-url", "redirectURL"),
            ("finish-url", "finishURL"),
        ].compactMap { key, name in
            list(name).map { ("\(key) = \($0.onOneLine)", app["origins"]?[key]?.string?.onOneLine) }
        }
        return paragraph(
            "[app \(app["name"]?.string?.onOneLine ?? "")]", origin: app["origin"]?.string?.onOneLine, lines: lines,
            paint)
    }

    /// The origins are comments in the files' form, one below the other.
    private static func paragraph(_ title: String, origin: String?, lines: [Line], _ paint: Paint) -> String {
        let width = min(48, lines.filter { $0.origin != nil }.map(\.text.count).max() ?? 0)
        let heading = paint.strong(title) + (origin.map { "  # \($0)" } ?? "")
        return
            ([heading]
            + lines.map { line in line.origin.map { line.text.padded(to: width) + "  # \($0)" } ?? line.text })
            .joined(separator: "\n")
    }

    /// Settings for which the files have another value now.
    private static func pending(_ settings: [JSONValue]) -> [String] {
        settings.compactMap { setting in
            guard let now = setting["inFiles"] else { return nil }
            let words = ["section", "key", "effect"].map { setting[$0]?.string ?? "" }
            let way =
                words[2] == "after a restart"
                ? "a restart of passd puts it into force" : "passd-cli reload puts it into force"
            let value = "\(now["value"]?.string ?? "") (\(now["origin"]?.string ?? ""))"
            return "[\(words[0])] \(words[1]) is \(value) in the files now; \(way)."
        }
    }

    private static func differences(_ result: JSONValue) -> [String] {
        (result["differences"]?.array ?? []).compactMap(\.string).map { "In the files now: \($0)" }
    }
}

extension Array {
    /// The elements by key, in the order in which the keys first occur.
    fileprivate func grouped(by key: (Element) -> String) -> [(key: String, elements: [Element])] {
        var order: [String] = []
        let groups = Dictionary(grouping: self) { element in
            let name = key(element)
            if !order.contains(name) { order.append(name) }
            return name
        }
        return order.map { ($0, groups[$0] ?? []) }
    }
}
