// Prints one method, callback or event of the OpenRPC document as text.

import PassClient
import PassJSON
import PassProtocol

struct MethodPage {
    let text: String

    /// `key` is the member with the name.
    init(_ method: JSONValue, named key: String = "name", document: JSONValue, paint: Paint) {
        let (method, schemas) = (method.onOneLine, Schemas(document.onOneLine))
        var parts = ["\(paint.strong(method[key]?.string ?? ""))\n  \(method["summary"]?.string ?? "")"]
        let params = (method["params"]?.array ?? []).map { param in
            schemas.row(
                param["name"]?.string ?? "", schema: param["schema"] ?? .null,
                need: param["required"]?.bool == true ? "required" : "", summary: param["summary"]?.string)
        }
        if !params.isEmpty { parts.append("params:\n" + Table.columns(params, paint: paint)) }
        let data = schemas.members(method["data"] ?? .null)
        if !data.isEmpty { parts.append("data:\n" + Table.columns(data, paint: paint)) }
        let result = schemas.members(method["result"]?["schema"] ?? .null)
        if !result.isEmpty { parts.append("result:\n" + Table.columns(result, paint: paint)) }
        let errors = (method["errors"]?.array ?? []).compactMap { schemas.error($0) }
        if !errors.isEmpty { parts.append("errors:\n" + Table.columns(errors, paint: paint)) }
        let statuses = (method["x-passd-statuses"]?.array ?? []).compactMap { $0.string.map(schemas.status) }
        if !statuses.isEmpty { parts.append("data.code of -32011:\n" + Table.columns(statuses, paint: paint)) }
        let callbacks = (method["x-passd-callbacks"]?.array ?? []).compactMap(\.string)
        if !callbacks.isEmpty { parts.append("callbacks:\n  " + callbacks.joined(separator: ", ")) }
        let needs = method["x-passd-capability"]?.string.map { "\nneeds: the capability \($0)" } ?? ""
        text = parts.joined(separator: "\n\n") + (needs.isEmpty ? "" : "\n" + needs)
    }
}

extension JSONValue {
    /// The value with all its texts on one line and without control characters.
    fileprivate var onOneLine: JSONValue {
        switch self {
        case .string(let text): .string(text.onOneLine)
        case .array(let items): .array(items.map(\.onOneLine))
        case .object(let object):
            .object(JSONObject(object.members.map { ($0.name.onOneLine, $0.value.onOneLine) }))
        case .null, .bool, .number: self
        }
    }
}

/// Looks up named schemas of the document, and describes schemas in few words.
private struct Schemas {
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
    func row(_ name: String, schema: JSONValue, need: String, summary: String?) -> [String] {
        let words = (schema["enum"]?.array ?? []).map {
            $0.string.map { $0.isEmpty ? "\"\"" : $0 } ?? JSONText.line($0)
        }
        let choice = words.isEmpty ? nil : "One of: \(words.joined(separator: ", "))"
        return ["  \(name)", kind(schema), need, [summary, choice].compactMap(\.self).joined(separator: " ")]
    }

    private func kind(_ schema: JSONValue) -> String {
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
