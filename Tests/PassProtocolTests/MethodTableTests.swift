// Tests that the table keeps every released method, and that each row is consistent.

import PassJSON
import PassProtocol
import Testing

@Suite("rpc.md §3 to §7: the method table")
struct MethodTableTests {
    static let names = MethodTable.all.map { $0.definition.name }

    /// Apps use these names. Add the names of each release; never change one.
    private static let released = [
        "passd.hello", "passd.whoami", "passd.subscribe", "passd.unsubscribe", "passd.suggestions", "rpc.discover",
        "setOptions",
        "setRequestor", "checkAuthentication", "getAuthentication", "setSelectedProvider", "getSelectedProvider",
        "handleExternalURL", "checkAuthorization", "getAuthorization", "checkPreauthorizedResources", "preauthorize",
        "getMetadata", "logout", "listProviders", "listProfiles", "passd.household", "passd.signOut", "passd.status",
        "passd.sessions", "passd.tokens",
        "passd.forget", "passd.logoutAll", "passd.reload", "passd.metrics", "passd.policyExplain", "passd.doctor",
        "passd.record",
        "passd.decisions", "passd.configuration",
        "passd.export", "passd.import",
    ]

    @Test func `released methods keep their names and their order, and no name is used twice`() {
        #expect(Self.names.filter(Self.released.contains) == Self.released)
        #expect(Set(Self.names).count == Self.names.count)
    }

    @Test(arguments: names) func `params and result of the example are valid`(_ name: String) throws {
        let method = try #require(MethodTable.find(name)).definition
        #expect(throws: Never.self) { try method.schema.check(method.example.params) }
        #expect(throws: Never.self) { try method.result.check(method.example.result) }
        let known = Set(method.params.map(\.name))
        for member in method.example.params.object?.members ?? [] {
            #expect(known.contains(member.name), "the example should use params of the table")
        }
    }

    @Test(arguments: names) func `typed params read the example and write it back`(_ name: String) throws {
        let method = try #require(MethodTable.find(name))
        try roundTrip(method)
    }

    private func roundTrip<Method: RPCMethod>(_ method: Method.Type) throws {
        let params = try Method.Params(params: Method.definition.example.params)
        try Method.definition.schema.check(params.json)
        #expect(try Method.Params(params: params.json) == params)
    }

    @Test(arguments: names) func `a missing required param is noticed, and every param refuses a wrong type`(
        _ name: String
    ) throws {
        let method = try #require(MethodTable.find(name)).definition
        let example = method.example.params.object ?? JSONObject()
        for param in method.params where param.isRequired {
            let rest = example.members.filter { $0.name != param.name }
            let fault = #expect(throws: SchemaFault.self) { try method.schema.check(.object(JSONObject(rest))) }
            #expect(fault?.path == param.name)
        }
        for param in method.params {
            var wrong = JSONObject(example.members.filter { $0.name != param.name })
            wrong.append(param.name, [[]])
            let fault = #expect(throws: SchemaFault.self) { try method.schema.check(.object(wrong)) }
            #expect(fault?.path.hasPrefix(param.name) == true)
        }
    }

    @Test(arguments: names) func `defaults are valid, callbacks exist, and capabilities fit the socket`(
        _ name: String
    ) throws {
        let method = try #require(MethodTable.find(name)).definition
        for param in method.params {
            if let fallback = param.fallback { try param.schema.check(fallback) }
        }
        for callback in method.callbacks { #expect(CallbackTable.find(callback) != nil, "\(callback)") }
        #expect((method.socket == .admin) == (method.capability == .admin))
        #expect(!method.needsRequestor || method.capability == .entitlement)
        #expect(method.errors.contains(.requestorNotSet) == method.needsRequestor)
        #expect(Set(method.errors).count == method.errors.count)
    }

    @Test func `a client without capabilities may still ask who it is and which methods exist (rpc.md §6)`() {
        let open = MethodTable.all.map { $0.definition }.filter { $0.capability == nil }.map(\.name)
        #expect(open == ["passd.hello", "passd.whoami", "passd.suggestions", "rpc.discover"])
    }

    @Test func `of the entitlement calls, only setOptions and setRequestor need no requestor (rpc.md §2, -32010)`() {
        let free = MethodTable.all.map { $0.definition }.filter { $0.capability == .entitlement && !$0.needsRequestor }
        #expect(free.map(\.name) == ["setOptions", "setRequestor"])
    }

    @Test(
        arguments: [
            ("getAuthorisation", "getAuthorization"), ("setrequestor", "setRequestor"), ("status", nil),
            ("checkPreauthorisedResource", "checkPreauthorizedResources"), ("logou", "logout"), ("", nil),
            ("checkPreauthorizedResources?!?!?!?!?!", "checkPreauthorizedResources"),
            (String(repeating: "x", count: 40), nil), (String(repeating: "x", count: 1 << 20), nil),
        ] as [(String, String?)])
    func `for a mistyped name the nearest method is found`(_ typed: String, _ meant: String?) {
        #expect(MethodTable.nearest(to: typed) == meant)
    }
}
