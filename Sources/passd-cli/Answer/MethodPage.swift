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
    var onOneLine: JSONValue {
        switch self {
        case .string(let text): .string(text.onOneLine)
        case .array(let items): .array(items.map(\.onOneLine))
        case .object(let object):
            .object(JSONObject(object.members.map { ($0.name.onOneLine, $0.value.onOneLine) }))
        case .null, .bool, .number: self
        }
    }
}
