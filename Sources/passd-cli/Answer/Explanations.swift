// What `describe` says of a name that is no method, callback or event: errors, statuses and codes by their meaning, and
// types, members and words of answers by where the OpenRPC document has them.

import PassJSON
import PassProtocol

struct Explanations {
    /// All names that can be looked up.
    private(set) var names: [String] = []
    private let document: JSONValue
    private var places: [Place] = []

    /// A member somewhere in the document: of a type, of params, of a result or of an event's data.
    private struct Place {
        /// Such as `getAuthentication: result.qr` and `callback status: qr`.
        let path: String
        let name: String
        let schema: JSONValue
        let summary: String

        var json: JSONValue {
            .members(["place": .string(path), "summary": summary.isEmpty ? nil : .string(summary), "schema": schema])
        }
    }

    init(_ document: JSONValue) {
        self.document = document
        for method in document["methods"]?.array ?? [] {
            let owner = method["name"]?.string ?? ""
            add(params: method["params"], at: "\(owner): params.")
            add(members: method["result"]?["schema"], at: "\(owner): result.")
        }
        for callback in document["x-passd-callbacks"]?.array ?? [] {
            add(params: callback["params"], at: "callback \(callback["name"]?.string ?? ""): ")
        }
        for event in document["x-passd-events"]?.array ?? [] {
            add(members: event["data"], at: "event \(event["type"]?.string ?? ""): data.")
        }
        for type in types { add(members: type.value, at: "type \(type.name): ") }
        names = types.map(\.name) + errors.map(\.name) + SDKStatus.known.map(\.rawValue)
        names += FlowErrorCode.allCases.map(\.rawValue) + ReasonTable.codes + places.map(\.name)
        names += places.flatMap { Self.words($0.schema) }
        names = names.filter { !$0.isEmpty }
    }

    /// One entry for each thing that has this name; none if nothing has it.
    func entries(_ name: String) -> [JSONValue] {
        let found = exactEntries(name)
        if !found.isEmpty { return found }
        let other = names.first { $0.lowercased() == name.lowercased() }
        return other.map(exactEntries) ?? []
    }

    private var types: [JSONObject.Member] { document["components"]?["schemas"]?.object?.members ?? [] }
    private var errors: [JSONObject.Member] { document["components"]?["errors"]?.object?.members ?? [] }

    private func exactEntries(_ name: String) -> [JSONValue] {
        var entries: [JSONValue] = []
        for error in errors where error.name == name {
            entries.append(Self.entry(name, kind: "error \(error.value["code"]?.int64 ?? 0)", says: error.value))
        }
        if let said = status(name) { entries.append(said) }
        if let code = FlowErrorCode(rawValue: name), !name.isEmpty {
            entries.append(Self.entry(name, kind: "errorCode of results and callbacks", meaning: code.meaning))
        }
        if let reason = ReasonTable.reason(of: name) {
            entries.append(
                Self.entry(
                    name, kind: "code of a refusal or a failure, in error.code", meaning: reason.meaning,
                    remedy: reason.remedy))
        }
        for type in types where type.name == name {
            let used = places.filter { Self.refers($0.schema, to: name) }
            entries.append(
                .members([
                    "name": .string(name), "kind": "type", "meaning": type.value["description"], "schema": type.value,
                    "places": used.isEmpty ? nil : .array(used.map(\.json)),
                ]))
        }
        let members = places.filter { $0.name == name }
        if !members.isEmpty { entries.append(Self.entry(name, kind: "member", at: members)) }
        let words = places.filter { Self.words($0.schema).contains(name) }
        if !words.isEmpty { entries.append(Self.entry(name, kind: "word", at: words)) }
        return entries
    }

    /// Most statuses come with callbacks too, so the document has only some of them.
    private func status(_ name: String) -> JSONValue? {
        let methods = (document["methods"]?.array ?? []).filter {
            ($0["x-passd-statuses"]?.array ?? []).contains(.string(SDKStatus(rawValue: name).family))
        }
        let status = SDKStatus(rawValue: name)
        guard status.family != "other" else {
            return document["x-passd-statuses"]?[name].map { Self.entry(name, kind: "status", says: $0) }
        }
        return .members([
            "name": .string(name), "kind": .string("status, level \(status.level.rawValue)"),
            "meaning": .string("\(status.meaning)."), "remedy": .string(status.remedy),
            "errorOf": methods.isEmpty ? nil : .array(methods.compactMap { $0["name"] }),
        ])
    }

    private static func entry(_ name: String, kind: String, says error: JSONValue) -> JSONValue {
        entry(name, kind: kind, meaning: error["message"]?.string ?? "", remedy: error["data"]?["remedy"]?.string)
    }

    private static func entry(_ name: String, kind: String, at places: [Place]) -> JSONValue {
        ["name": .string(name), "kind": .string(kind), "places": .array(places.map(\.json))]
    }

    private static func entry(_ name: String, kind: String, meaning: String, remedy: String? = nil) -> JSONValue {
        .members([
            "name": .string(name), "kind": .string(kind), "meaning": .string(meaning),
            "remedy": remedy.map(JSONValue.string),
        ])
    }

    /// `start` is the beginning of their paths, with what divides it from their names.
    private mutating func add(params: JSONValue?, at start: String) {
        for param in params?.array ?? [] {
            add(param["name"]?.string ?? "", schema: param["schema"], summary: param["summary"]?.string, at: start)
        }
    }

    private mutating func add(members schema: JSONValue?, at start: String) {
        for member in schema?["properties"]?.object?.members ?? [] {
            add(member.name, schema: member.value, summary: member.value["description"]?.string, at: start)
        }
        for part in Self.parts(schema) { add(members: part, at: start) }
    }

    private mutating func add(_ name: String, schema: JSONValue?, summary: String?, at start: String) {
        places.append(Place(path: start + name, name: name, schema: schema ?? .null, summary: summary ?? ""))
        add(members: schema, at: "\(start)\(name).")
    }

    /// The schemas of which this one is made, without those that it names.
    private static func parts(_ schema: JSONValue?) -> [JSONValue] {
        ["items", "additionalProperties"].compactMap { schema?[$0] }
            + ["allOf", "anyOf", "oneOf"].flatMap { schema?[$0]?.array ?? [] }
    }

    private static func words(_ schema: JSONValue) -> [String] {
        (schema["enum"]?.array ?? []).compactMap(\.string).filter { !$0.isEmpty } + parts(schema).flatMap(words)
    }

    private static func refers(_ schema: JSONValue, to type: String) -> Bool {
        schema["$ref"]?.string?.hasSuffix("/\(type)") == true || parts(schema).contains { refers($0, to: type) }
    }
}
