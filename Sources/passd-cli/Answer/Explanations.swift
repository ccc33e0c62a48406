// The explanations of `describe` for names other than methods, callbacks and events. Errors, statuses and codes are explained
// by their meaning. Types, members and words of answers are explained by their place in the OpenRPC document.

import PassJSON
import PassProtocol

struct Explanations {
    /// All names that can be looked up.
    private(set) var names: [String] = []
    private let document: JSONValue
    /// The members of types, of params, of results and of events' data, each with place, summary and schema. Examples of
    /// places are `getAuthentication: result.qr` and `callback status: qr`.
    private var places: [(name: String, json: JSONValue)] = []

    init(_ document: JSONValue) {
        self.document = document
        for method in document.list("methods") {
            let owner = method["name"]?.string ?? ""
            add(params: method, at: "\(owner): params.")
            add(members: method["result"]?["schema"], at: "\(owner): result.")
        }
        for callback in document.list("x-passd-callbacks") {
            add(params: callback, at: "callback \(callback["name"]?.string ?? ""): ")
        }
        for event in document.list("x-passd-events") {
            add(members: event["data"], at: "event \(event["type"]?.string ?? ""): data.")
        }
        for type in types { add(members: type.value, at: "type \(type.name): ") }
        names = types.map(\.name) + errors.map(\.name) + SDKStatus.known.map(\.rawValue)
        names += FlowErrorCode.allCases.map(\.rawValue) + ReasonTable.codes + places.map(\.name)
        names = (names + places.flatMap { Self.words($0.json["schema"] ?? .null) }).filter { !$0.isEmpty }
    }

    /// The entries for a name, one for each kind of thing with this name.
    func entries(_ name: String) -> [JSONValue] {
        let found = exactEntries(name)
        if !found.isEmpty { return found }
        let other = names.first { $0.lowercased() == name.lowercased() }
        return other.map(exactEntries) ?? []
    }

    private var types: [JSONObject.Member] { document["components"]?["schemas"]?.members ?? [] }
    private var errors: [JSONObject.Member] { document["components"]?["errors"]?.members ?? [] }

    private func exactEntries(_ name: String) -> [JSONValue] {
        let error = errors.first { $0.name == name }?.value
        let code = name.isEmpty ? nil : FlowErrorCode(rawValue: name)
        let reason = ReasonTable.reason(of: name)
        let type = types.first { $0.name == name }?.value
        let entries: [JSONValue?] = [
            error.map { Self.entry(name, "error \($0["code"]?.int64 ?? 0)", says: $0) }, status(name),
            code.map { Self.entry(name, "errorCode of results and callbacks", meaning: $0.meaning) },
            reason.map {
                Self.entry(
                    name, "code of a refusal or a failure, in error.code", meaning: $0.meaning, remedy: $0.remedy)
            },
            type.map { type in
                let used = places.filter { Self.refers($0.json["schema"] ?? .null, to: name) }
                return .members([
                    "name": .string(name), "kind": "type", "meaning": type["description"], "schema": type,
                    "places": used.isEmpty ? nil : .array(used.map(\.json)),
                ])
            },
            entry(name, "member") { $0.name == name },
            entry(name, "word") { Self.words($0.json["schema"] ?? .null).contains(name) },
        ]
        return entries.compactMap(\.self)
    }

    /// The entry for a status. The entry comes from the table of statuses, because the document has only some statuses.
    private func status(_ name: String) -> JSONValue? {
        let methods = document.list("methods").filter {
            $0.list("x-passd-statuses").contains(.string(SDKStatus(rawValue: name).family))
        }
        let status = SDKStatus(rawValue: name)
        guard status.family != "other" else {
            return document["x-passd-statuses"]?[name].map { Self.entry(name, "status", says: $0) }
        }
        return .members([
            "name": .string(name), "kind": .string("status, level \(status.level.rawValue)"),
            "meaning": .string("\(status.meaning)."), "remedy": .string(status.remedy),
            "errorOf": methods.isEmpty ? nil : .array(methods.compactMap { $0["name"] }),
        ])
    }

    private static func entry(_ name: String, _ kind: String, says error: JSONValue) -> JSONValue {
        entry(name, kind, meaning: error["message"]?.string ?? "", remedy: error["data"]?["remedy"]?.string)
    }

    private static func entry(_ name: String, _ kind: String, meaning: String, remedy: String? = nil) -> JSONValue {
        .members([
            "name": .string(name), "kind": .string(kind), "meaning": .string(meaning),
            "remedy": remedy.map(JSONValue.string),
        ])
    }

    /// The entry with the places of a name in the document; nil if there are none.
    private func entry(
        _ name: String, _ kind: String, where isMeant: ((name: String, json: JSONValue)) -> Bool
    ) -> JSONValue? {
        let found = places.filter(isMeant)
        return found.isEmpty
            ? nil : ["name": .string(name), "kind": .string(kind), "places": .array(found.map(\.json))]
    }

    /// Adds the params with their places. The place of a param is `start` followed by the name of the param.
    private mutating func add(params owner: JSONValue, at start: String) {
        for param in owner.list("params") {
            add(param["name"]?.string ?? "", schema: param["schema"], summary: param["summary"]?.string, at: start)
        }
    }

    private mutating func add(members schema: JSONValue?, at start: String) {
        for member in schema?["properties"]?.members ?? [] {
            add(member.name, schema: member.value, summary: member.value["description"]?.string, at: start)
        }
        for part in Self.parts(schema) { add(members: part, at: start) }
    }

    private mutating func add(_ name: String, schema: JSONValue?, summary: String?, at start: String) {
        places.append(
            (
                name,
                .members([
                    "place": .string(start + name), "summary": summary.flatMap { $0.isEmpty ? nil : .string($0) },
                    "schema": schema ?? .null,
                ])
            ))
        add(members: schema, at: "\(start)\(name).")
    }

    /// Returns the schemas inside this schema, without the schemas to which it only refers.
    private static func parts(_ schema: JSONValue?) -> [JSONValue] {
        ["items", "additionalProperties"].compactMap { schema?[$0] }
            + ["allOf", "anyOf", "oneOf"].flatMap { schema?[$0]?.array ?? [] }
    }

    private static func words(_ schema: JSONValue) -> [String] {
        schema.list("enum").compactMap(\.string).filter { !$0.isEmpty } + parts(schema).flatMap(words)
    }

    private static func refers(_ schema: JSONValue, to type: String) -> Bool {
        schema["$ref"]?.string?.hasSuffix("/\(type)") == true || parts(schema).contains { refers($0, to: type) }
    }
}
