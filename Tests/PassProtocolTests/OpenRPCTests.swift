// Tests the document against the essential rules of the OpenRPC 1.4 meta-schema: required members, unique names, valid
// references, and JSON Schemas with known keywords.

import PassDescription
import PassJSON
import PassProtocol
import Testing

@Suite("rpc.md §6: rpc.discover")
struct OpenRPCTests {
    let document = OpenRPCDocument.json(version: "1.2.3", denial: .denied("No", remedy: "Ask."))

    private var methods: [JSONValue] { document["methods"]?.array ?? [] }

    @Test func `the document has all parts that OpenRPC requires`() {
        #expect(document["openrpc"] == "1.4.0")
        #expect(document["info"]?["title"]?.string == "passd")
        #expect(document["info"]?["version"] == "1.2.3")
        let allowed = ["openrpc", "info", "externalDocs", "servers", "methods", "components"]
        for member in document.object?.members ?? [] {
            #expect(allowed.contains(member.name) || member.name.hasPrefix("x-"), "\(member.name)")
        }
        for server in document["servers"]?.array ?? [] { #expect(server["url"]?.string != nil) }
    }

    @Test func `every method of the table is in the document once`() {
        #expect(methods.compactMap { $0["name"]?.string } == MethodTable.all.map { $0.definition.name })
    }

    @Test func `every method has params by name, a result, errors and the extensions of rpc.md`() {
        let allowed = [
            "name", "summary", "description", "tags", "paramStructure", "params", "result", "errors", "examples",
            "servers", "deprecated", "links", "externalDocs",
        ]
        for method in methods {
            #expect(method["paramStructure"] == "by-name")
            #expect(method["result"]?["name"]?.string != nil)
            #expect(method["result"]?["schema"] != nil)
            #expect(method["errors"]?.array?.isEmpty == false)
            for name in ["x-passd-capability", "x-since", "x-deprecated-since"] { #expect(method[name] != nil) }
            for member in method.object?.members ?? [] {
                #expect(allowed.contains(member.name) || member.name.hasPrefix("x-"), "\(member.name)")
            }
            let params = method["params"]?.array ?? []
            #expect(Set(params.compactMap { $0["name"]?.string }).count == params.count)
            for param in params { #expect(param["schema"] != nil && param["required"]?.bool != nil) }
        }
    }

    @Test func `required params come before the others, in methods and callbacks`() {
        for described in methods + (document["x-passd-callbacks"]?.array ?? []) {
            let required = (described["params"]?.array ?? []).map { $0["required"] == true }
            #expect(required == required.filter { $0 } + required.filter { !$0 }, "\(described["name"] ?? .null)")
        }
    }

    @Test func `the errors of a method have different codes, and each possible status is explained`() {
        var statuses = 0
        for method in methods {
            let entries = (method["errors"]?.array ?? []).compactMap { $0["$ref"]?.string.flatMap(resolve) }
            let codes = entries.compactMap { $0["code"]?.int64 }
            #expect(Set(codes).count == codes.count, "\(method["name"] ?? .null)")
            let own = (method["x-passd-statuses"]?.array ?? []).compactMap(\.string)
            #expect(own.isEmpty != codes.contains(-32011))
            for status in own { #expect(document["x-passd-statuses"]?[status]?["data"]?["code"]?.string == status) }
            statuses += own.count
        }
        #expect(statuses > 50)
        for definition in MethodTable.all.map({ $0.definition }) {
            let described = methods.first { $0["name"]?.string == definition.name }
            let known =
                (described?["errors"]?.array ?? []).compactMap {
                    $0["$ref"]?.string?.split(separator: "/").last.map(String.init)
                }
                + (described?["x-passd-statuses"]?.array ?? []).compactMap(\.string)
            for error in definition.errors { #expect(known.contains(error.text), "\(definition.name) \(error)") }
        }
    }

    @Test func `every reference resolves`() {
        var count = 0
        walk(document) { value in
            guard let reference = value["$ref"]?.string else { return }
            count += 1
            #expect(resolve(reference) != nil, "\(reference)")
        }
        #expect(count > 100)
    }

    @Test func `every schema is JSON Schema`() {
        let schemas =
            methods.flatMap { ($0["params"]?.array ?? []).compactMap { $0["schema"] } }
            + methods.compactMap { $0["result"]?["schema"] }
            + (document["components"]?["schemas"]?.object?.members.map(\.value) ?? [])
        for schema in schemas { checkSchema(schema) }
    }

    @Test func `the names of components and the errors follow OpenRPC`() {
        for kind in ["schemas", "errors"] {
            for member in document["components"]?[kind]?.object?.members ?? [] {
                #expect(member.name.utf8.allSatisfy { $0 < 0x7B && $0 > 0x2C }, "\(member.name)")
            }
        }
        for error in document["components"]?["errors"]?.object?.members ?? [] {
            #expect(error.value["code"]?.int64 != nil)
            #expect(error.value["message"]?.string != nil)
            #expect(error.name == "UNANSWERED" || error.value["data"]?["code"]?.string == error.name)
        }
    }

    @Test func `callbacks and events are described too`() {
        #expect(document["x-passd-callbacks"]?.array?.count == CallbackTable.all.count)
        #expect(document["x-passd-events"]?.array?.count == EventType.allCases.count)
        for callback in document["x-passd-callbacks"]?.array ?? [] {
            for param in callback["params"]?.array ?? [] { checkSchema(param["schema"] ?? .null) }
        }
        for event in document["x-passd-events"]?.array ?? [] { checkSchema(event["data"] ?? .null) }
    }

    private func checkSchema(_ schema: JSONValue) {
        guard let object = schema.object else {
            #expect(schema.bool != nil)
            return
        }
        let words = [
            "type", "format", "enum", "items", "properties", "required", "additionalProperties", "oneOf", "allOf",
            "minimum", "maximum", "description", "default", "title", "$ref",
        ]
        for member in object.members {
            #expect(words.contains(member.name), "\(member.name)")
            switch member.name {
            case "type": #expect(Self.types.contains(member.value.string ?? ""))
            case "items", "additionalProperties": checkSchema(member.value)
            case "oneOf", "allOf": for inner in member.value.array ?? [] { checkSchema(inner) }
            case "properties": for inner in member.value.object?.members ?? [] { checkSchema(inner.value) }
            case "required":
                for name in member.value.array ?? [] { #expect(object["properties"]?[name.string ?? ""] != nil) }
            default: break
            }
        }
    }

    private static let types = ["null", "boolean", "object", "array", "number", "string", "integer"]

    private func resolve(_ reference: String) -> JSONValue? {
        guard reference.hasPrefix("#/") else { return nil }
        return reference.dropFirst(2).split(separator: "/").reduce(Optional(document)) { $0?[String($1)] }
    }

    private func walk(_ value: JSONValue, _ visit: (JSONValue) -> Void) {
        visit(value)
        for item in value.array ?? [] { walk(item, visit) }
        for member in value.object?.members ?? [] { walk(member.value, visit) }
    }
}
