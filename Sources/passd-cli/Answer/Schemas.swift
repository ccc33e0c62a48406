// Describes the schemas and errors of the OpenRPC document in few words.

import PassClient
import PassJSON

/// Looks up named schemas of the document, and describes schemas in few words.
struct Schemas {
    private let components: JSONValue
    private let statuses: JSONValue

    init(_ document: JSONValue) {
        components = document["components"] ?? .null
        statuses = document["x-passd-statuses"] ?? .null
    }

    func members(_ schema: JSONValue) -> [[String]] {
        let required = (schema["required"]?.array ?? []).compactMap(\.string)
        return (schema["properties"]?.object?.members ?? []).map { member in
            row(
                member.name, schema: member.value, need: required.contains(member.name) ? "" : "optional",
                summary: member.value["description"]?.string)
        }
    }

    /// The words to choose from come last, since they may be many.
    func row(_ name: String, schema: JSONValue, need: String?, summary: String?) -> [String] {
        let words = (schema["enum"]?.array ?? []).map {
            $0.string.map { $0.isEmpty ? "\"\"" : $0 } ?? JSONText.line($0)
        }
        let choice = words.isEmpty ? nil : "One of: \(words.joined(separator: ", "))"
        let text = [summary, choice].compactMap(\.self).joined(separator: " ")
        return ["  \(name)", kind(schema), need, text].compactMap(\.self)
    }

    func kind(_ schema: JSONValue) -> String {
        if let name = Self.name(schema["$ref"]) { return name }
        if schema["enum"] != nil { return "word" }
        for key in ["allOf", "anyOf", "oneOf"] {
            if let parts = schema[key]?.array { return parts.map(kind).joined(separator: " | ") }
        }
        if schema["type"]?.string == "array" { return "[\(kind(schema["items"] ?? .null))]" }
        return schema["type"].map { $0.string ?? ($0.array ?? []).compactMap(\.string).joined(separator: " | ") }
            ?? "any"
    }

    func error(_ reference: JSONValue) -> [String]? {
        guard let name = Self.name(reference["$ref"]), let error = components["errors"]?[name] else { return nil }
        return ["  \(name)", error["code"].map { JSONText.line($0) } ?? "", error["message"]?.string ?? ""]
    }

    func status(_ name: String) -> [String] { ["  \(name)", statuses[name]?["message"]?.string ?? ""] }

    private static func name(_ reference: JSONValue?) -> String? {
        reference?.string?.split(separator: "/").last.map(String.init)
    }
}
