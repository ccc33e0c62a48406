// Prints the tables of methods, callbacks, events, types and errors in troff, for passd(7).

import PassDescription
import PassJSON
import PassProtocol
import PassServer

enum SocketManual {
    /// The methods. The methods of the first part are on both sockets.
    static var methods: String {
        let all = MethodTable.all.map { $0.definition }
        let parts: [(String, SocketKind)] = [("On both sockets", .api), ("On the admin socket alone", .admin)]
        return parts.map { title, socket in
            ".SS \(title)\n" + all.filter { $0.socket == socket }.map(entry).joined()
        }
        .joined()
    }

    static var callbacks: String {
        CallbackTable.all.map { callback in
            Roff.entry(
                Roff.bold(callback.name), [Roff.sentence(callback.summary)] + line("Params", members(callback.params)))
        }
        .joined()
    }

    static var events: String {
        EventTable.all.map { event in
            Roff.entry(
                Roff.bold(event.type.rawValue), [Roff.sentence(event.summary)] + line("Data", members(event.data)))
        }
        .joined()
    }

    /// The named types of the members above, each once.
    static var types: String {
        let schemas =
            MethodTable.all.map { $0.definition }.flatMap { [$0.schema, $0.result] } + CallbackTable.all.map(\.schema)
            + EventTable.all.map(\.schema)
        var seen: Set<String> = []
        return schemas.flatMap(\.components).filter { seen.insert($0.name).inserted }.map { component in
            Roff.entry(
                Roff.italic(component.name), [Roff.sentence(component.summary)] + line("", kind(component.schema)))
        }
        .joined()
    }

    /// Each error, with an example of its message and its remedy.
    static var errors: String {
        let samples = OpenRPCDocument.json(version: "", denial: Denial.example)["components"]?["errors"]
        return ErrorName.named.sorted { $0.code > $1.code }.map { name in
            let sample = samples?[name.text]
            return Roff.entry(
                "\(Roff.text(String(name.code))) \(Roff.bold(name.text))",
                [sample?["message"]?.string, sample?["data"]?["remedy"]?.string].compactMap(\.self).map(Roff.text))
        }
        .joined()
    }

    /// The sentences for viewers that come from the box itself.
    static var sentences: String {
        BoxSentence.allCases.map { Roff.entry(Roff.bold($0.rawValue), [Roff.text($0.text(in: nil))]) }.joined()
    }

    static var statuses: String {
        SDKStatus.known.map { status in
            Roff.entry(
                "\(Roff.bold(status.rawValue)) (\(status.level.rawValue))",
                [
                    Roff.sentence(status.meaning),
                    status.remedy == "Nothing needs to be done." ? "" : Roff.text(status.remedy),
                ])
        }
        .joined()
    }

    private static func entry(_ method: MethodDefinition) -> String {
        let needs = [method.capability?.rawValue, method.needsRequestor ? "a requestor" : nil].compactMap(\.self)
        return Roff.entry(
            Roff.bold(method.name),
            [Roff.sentence(method.summary)]
                + line("Needs", needs.isEmpty ? "nothing" : needs.joined(separator: ", "))
                + line("Params", members(method.params)) + line("Result", kind(method.result))
                + line("Callbacks", method.callbacks.joined(separator: ", "))
                + line("Errors", method.ownErrors.map(\.text).joined(separator: ", ")))
    }

    /// A separate line; none if there is no text.
    private static func line(_ title: String, _ text: String) -> [String] {
        guard !text.isEmpty else { return [] }
        return [".br", title.isEmpty ? text : "\(title): \(text)"]
    }

    /// Two more members come with `display`. The page explains them once.
    private static func members(_ members: [Member]) -> String {
        members.filter { !["displaySource", "displayCode"].contains($0.name) }
            .map { "\(Roff.bold($0.name + ($0.isRequired ? "" : "?"))) \(kind($0.schema))" }.joined(separator: ", ")
    }

    private static func word(_ word: String) -> String {
        word.isEmpty || word.contains(" ") ? "\"\(Roff.text(word))\"" : Roff.text(word)
    }

    private static func kind(_ schema: Schema) -> String {
        switch schema {
        case .any: "anything"
        case .null: "null"
        case .boolean: "boolean"
        case .number: "number"
        case .integer(let range) where range == 0...Int64.max: "integer"
        case .integer(let range?) where range.lowerBound == range.upperBound: String(range.lowerBound)
        case .integer: "integer"
        case .string: "string"
        // A line may be wrapped between two words.
        case .enumeration(let words): words.map(word).joined(separator: "|\\:")
        case .array(let item): "[\(kind(item))]"
        case .map(.any): "object"
        case .map(let item): "object of \(kind(item))s"
        case .object(let members) where members.isEmpty: "{}"
        case .object(let members): "{\(self.members(members))}"
        case .nullable(let schema): "\(kind(schema))|null"
        case .oneOf(let schemas): schemas.map(kind).joined(separator: "|")
        case .component(let component): Roff.italic(component.name)
        }
    }
}
