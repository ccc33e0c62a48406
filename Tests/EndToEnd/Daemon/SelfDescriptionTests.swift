// Tests that the socket's description of itself is valid OpenRPC, and correct. `TestApp` also checks every message of
// these tests against the description. rpc.md §6.

import FoundationEssentials
import PassJSON
import PassProtocol
import PassTestKit
import PassWire
import Testing

@Suite("rpc.md §6") struct SelfDescriptionTests {
    private func discovered() throws -> JSONValue {
        let box = try RunningBox()
        return try box.operatorsView().call("rpc.discover")
    }

    @Test func `the document is valid OpenRPC`() throws {
        let file = repository + "Tests/EndToEnd/Resources/openrpc-1.4.json"
        let rules = try JSONReader.read(Array(try Data(contentsOf: URL(filePath: file))))
        let document = try discovered()
        try JSONSchema(document: rules).check(document, rules)
        // The check is strict enough to find mistakes.
        for damage in ["openrpc", "info", "methods"] {
            let damaged = JSONObject((document.object?.members ?? []).filter { $0.name != damage })
            #expect(throws: JSONSchema.Violation.self) {
                try JSONSchema(document: rules).check(.object(damaged), rules)
            }
        }
    }

    @Test func `every reference has a target, and every example is valid under its schema`() throws {
        let document = try discovered()
        let schema = JSONSchema(document: document)
        let methods = try #require(document["methods"]?.array)
        #expect(methods.count > 25)
        for method in methods {
            let name = method["name"]?.string ?? ""
            for error in method["errors"]?.array ?? [] {
                let reference = try #require(error["$ref"]?.string?.split(separator: "/").last)
                #expect(document["components"]?["errors"]?[String(reference)] != nil, "\(name): \(reference)")
            }
            let example = try #require(method["examples"]?.array?.first)
            try schema.check(example["result"]?["value"] ?? .null, method["result"]?["schema"] ?? false, name)
            for value in example["params"]?.array ?? [] {
                let param = method["params"]?.array?.first { $0["name"] == value["name"] }
                try schema.check(value["value"] ?? .null, param?["schema"] ?? false, name)
            }
        }
    }

    /// A value of each kind, used to find the kinds that a param's schema rejects.
    private static let kinds: [JSONValue] = [nil, true, 7, "text", [], [1], [:]]

    @Test func `every method refuses a missing param or a wrong kind, and names the param`() throws {
        let box = try RunningBox()
        let app = try box.operatorsView()
        let document = try app.call("rpc.discover")
        let schema = JSONSchema(document: document)
        for method in document["methods"]?.array ?? [] {
            let name = method["name"]?.string ?? ""
            let params = method["params"]?.array ?? []
            let good = method["examples"]?.array?.first?["params"]?.array ?? []
            let members = good.compactMap { item in item["name"]?.string.map { ($0, item["value"] ?? .null) } }
            for param in params {
                let key = param["name"]?.string ?? ""
                let others = members.filter { $0.0 != key }
                if param["required"] == true {
                    let error = try fault(app, name, .object(JSONObject(others)))
                    #expect(error?.name == .invalidParams, "\(name) without \(key)")
                }
                for value in Self.kinds where (try? schema.check(value, param["schema"] ?? true)) == nil {
                    let error = try fault(app, name, .object(JSONObject(others + [(key, value)])))
                    #expect(error?.name == .invalidParams, "\(name) with \(key) = \(value)")
                    let details = String(describing: error?.details)
                    #expect(details.contains(key), "\(name): \(key) is not named")
                }
            }
        }
    }

    @Test func `huge and empty texts in a param get an error that names it, and the daemon continues`() throws {
        let box = try RunningBox()
        let app = try box.app("LUMENTV")
        let document = try app.call("rpc.discover")
        for text in ["", String(repeating: "x", count: 150_000), "\u{0}\u{1}\u{FFFF}", "../../etc/passwd"] {
            for method in document["methods"]?.array ?? [] where method["servers"] == nil {
                let name = method["name"]?.string ?? ""
                guard !["logout", "passd.subscribe"].contains(name) else { continue }
                let params = (method["params"]?.array ?? []).compactMap { param -> (String, JSONValue)? in
                    guard let key = param["name"]?.string, param["schema"]?["type"] == "string" else { return nil }
                    return (key, .string(text))
                }
                guard !params.isEmpty else { continue }
                _ = try fault(app, name, .object(JSONObject(params)))
            }
        }
        #expect(try box.app("LUMENTV").call("checkAuthentication")["authenticated"] == false)
    }

    private func fault(_ app: TestApp, _ method: String, _ params: JSONValue) throws -> RPCError? {
        do {
            try app.call(method, params)
            return nil
        } catch let error as RPCError {
            return error
        }
    }
}
