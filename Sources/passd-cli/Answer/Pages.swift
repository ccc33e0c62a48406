// The pages of `describe` as text. A page is about a method, callback or event of the OpenRPC document, or about an entry of
// `Explanations`.

import PassClient
import PassJSON

struct Pages {
    private let components: JSONValue
    private let statuses: JSONValue
    private let paint: Paint

    init(_ document: JSONValue, _ paint: Paint) {
        let document = document.onOneLine
        components = document["components"] ?? [:]
        statuses = document["x-passd-statuses"] ?? [:]
        self.paint = paint
    }

    /// The page of a method, callback or event. `key` is the JSON member that contains the name of the method, callback or
    /// event. Methods and callbacks use `name`, and events use `type`.
    func method(_ method: JSONValue, named key: String) -> String {
        let method = method.onOneLine
        let params = method.list("params").map { param in
            row(
                param.word("name"), schema: param["schema"], need: param.holds("required") ? "required" : "",
                summary: param.text("summary"))
        }
        let callbacks = method.texts("x-passd-callbacks")
        let parts: [String?] = [
            "\(paint.strong(method.word(key)))\n  \(method.word("summary"))", table("params", params),
            table("data", members(method["data"])), table("result", members(method["result"]?["schema"])),
            table("errors", method.list("errors").compactMap(error)),
            table(
                "data.code of -32011",
                method.texts("x-passd-statuses").map { ["  \($0)", statuses[$0]?.text("message") ?? ""] }),
            callbacks.isEmpty ? nil : "callbacks:\n  " + callbacks.joined(separator: ", "),
            method.text("x-passd-capability").map { "needs: the capability \($0)" },
        ]
        return parts.compactMap(\.self).joined(separator: "\n\n")
    }

    /// The page of an entry of `Explanations`.
    func entry(_ entry: JSONValue) -> String {
        let entry = entry.onOneLine
        let head = ["\(paint.strong(entry.word("name"))) (\(entry.word("kind")))"]
        let meaning = [
            entry.text("meaning").map { "  \($0)" }, entry.text("remedy").map { "  What to do: \($0)" },
        ]
        let words = (entry["schema"]?.texts("enum") ?? []).filter { !$0.isEmpty }
        let places = entry.list("places").map { place in
            row(place.word("place"), schema: place["schema"], need: nil, summary: place.text("summary"))
        }
        let failing = entry["errorOf"] == nil ? nil : entry.texts("errorOf").joined(separator: ", ")
        let parts: [String?] = [
            (head + meaning.compactMap(\.self)).joined(separator: "\n"), table("members", members(entry["schema"])),
            words.isEmpty ? nil : "words:\n  " + words.joined(separator: ", "),
            failing.map { "as data.code of -32011, of the methods:\n  \($0)" }, table("where", places),
        ]
        return parts.compactMap(\.self).joined(separator: "\n")
    }

    private func table(_ title: String, _ rows: [[String]]) -> String? {
        rows.isEmpty ? nil : "\(title):\n" + Table.columns(rows, paint: paint)
    }

    private func members(_ schema: JSONValue?) -> [[String]] {
        let required = schema?.texts("required") ?? []
        return (schema?["properties"]?.members ?? []).map { member in
            row(
                member.name, schema: member.value, need: required.contains(member.name) ? "" : "optional",
                summary: member.value.text("description"))
        }
    }

    /// The row of a value. The possible words come last, because there may be many.
    private func row(_ name: String, schema: JSONValue?, need: String?, summary: String?) -> [String] {
        let words = (schema?.list("enum") ?? []).map {
            $0.string.map { $0.isEmpty ? "\"\"" : $0 } ?? JSONText.line($0)
        }
        let choice = words.isEmpty ? nil : "One of: \(words.joined(separator: ", "))"
        let text = [summary, choice].compactMap(\.self).joined(separator: " ")
        return ["  \(name)", kind(schema ?? .null), need, text].compactMap(\.self)
    }

    private func kind(_ schema: JSONValue) -> String {
        if let name = name(schema["$ref"]) { return name }
        if schema["enum"] != nil { return "word" }
        for key in ["allOf", "anyOf", "oneOf"] {
            if let parts = schema[key]?.array { return parts.map(kind).joined(separator: " | ") }
        }
        if schema["type"]?.string == "array" { return "[\(kind(schema["items"] ?? .null))]" }
        return schema["type"].map { $0.string ?? ($0.array ?? []).compactMap(\.string).joined(separator: " | ") }
            ?? "any"
    }

    private func error(_ reference: JSONValue) -> [String]? {
        guard let name = name(reference["$ref"]), let error = components["errors"]?[name] else { return nil }
        return ["  \(name)", error["code"].map { JSONText.line($0) } ?? "", error.word("message")]
    }

    private func name(_ reference: JSONValue?) -> String? {
        reference?.string?.split(separator: "/").last.map(String.init)
    }
}
