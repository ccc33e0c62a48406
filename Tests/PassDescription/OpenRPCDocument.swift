// Makes the OpenRPC 1.4 document from the tables of methods, callbacks and events. rpc.md §6.

package import PassJSON
package import PassProtocol

package enum OpenRPCDocument {
    /// Makes a new document. `version` is the daemon's version. `denial` is an example of a refusal by policy.
    package static func json(version: String, denial: RPCError) -> JSONValue {
        [
            "openrpc": "1.4.0",
            "info": [
                "title": "passd", "version": .string(version),
                "description": "The TV entitlement daemon of this box: JSON-RPC 2.0 over a Unix socket.",
            ],
            "servers": [server(.api)],
            "methods": .array(MethodTable.all.map { method($0.definition) }),
            "components": ["schemas": schemas, "errors": errors(denial)], "x-passd-statuses": statuses,
            "x-passd-callbacks": .array(CallbackTable.all.map(callback)),
            "x-passd-events": .array(EventTable.all.map(event)),
        ]
    }

    private static func server(_ socket: SocketKind) -> JSONValue {
        switch socket {
        case .api: ["name": "api", "url": "unix:///run/passd/passd.sock", "summary": "For apps."]
        case .admin:
            ["name": "admin", "url": "unix:///run/passd/admin.sock", "summary": "For operators: every method."]
        }
    }

    private static func method(_ method: MethodDefinition) -> JSONValue {
        .members([
            "name": .string(method.name), "summary": .string(method.summary), "paramStructure": "by-name",
            "params": .array(method.params.map(descriptor)),
            "result": ["name": "result", "schema": method.result.jsonSchema],
            "errors": .array(method.errorNames.map { ["$ref": .string("#/components/errors/\($0)")] }),
            "examples": [example(method)],
            "servers": method.socket == .admin ? [server(.admin)] : nil,
            "deprecated": method.deprecatedSince == nil ? nil : true,
            "x-passd-capability": method.capability.map { .string($0.rawValue) } ?? .null,
            "x-passd-needs-requestor": .bool(method.needsRequestor),
            "x-passd-statuses": method.statuses.isEmpty ? nil : .strings(method.statuses.map(\.rawValue)),
            "x-passd-callbacks": .strings(method.callbacks), "x-since": .string(method.since),
            "x-deprecated-since": method.deprecatedSince.map(JSONValue.string) ?? .null,
        ])
    }

    private static func descriptor(_ member: Member) -> JSONValue {
        .members([
            "name": .string(member.name), "summary": member.summary.isEmpty ? nil : .string(member.summary),
            "required": .bool(member.isRequired), "schema": member.jsonSchema,
        ])
    }

    private static func example(_ method: MethodDefinition) -> JSONValue {
        let params = method.example.params.object?.members ?? []
        return [
            "name": "example",
            "params": .array(params.map { ["name": .string($0.name), "value": $0.value] }),
            "result": ["name": "result", "value": method.example.result],
        ]
    }

    private static func callback(_ callback: CallbackDefinition) -> JSONValue {
        [
            "name": .string(callback.name), "summary": .string(callback.summary), "paramStructure": "by-name",
            "params": .array(callback.params.map(descriptor)), "x-since": .string(callback.since),
        ]
    }

    private static func event(_ event: EventDefinition) -> JSONValue {
        [
            "type": .string(event.type.rawValue), "summary": .string(event.summary), "data": event.schema.jsonSchema,
        ]
    }
}

extension OpenRPCDocument {
    static var schemas: JSONValue {
        let members = Component.all.map { component -> (String, JSONValue) in
            var printed = component.schema.jsonSchema.object ?? JSONObject()
            printed.append("title", .string(component.name))
            printed.append("description", .string(component.summary))
            return (component.name, .object(printed))
        }
        return .object(JSONObject(members))
    }

    /// One entry for each JSON-RPC code, because the errors of a method must have different codes. All statuses share the code
    /// -32011. A method's possible statuses are in its `x-passd-statuses`.
    private static func errors(_ denial: RPCError) -> JSONValue {
        var members = ErrorName.named.map { ($0.text, sample($0, denial).json) }
        let unanswered: JSONValue = [
            "code": .int(ErrorName.unanswered(.N500).code),
            "message": "The question could not be answered; data.code is the reason, a status of the AccessEnabler.",
        ]
        members.append((ErrorName.unansweredEntry, unanswered))
        return .object(JSONObject(members))
    }

    /// The statuses, by name, with their meanings. A status is the `data.code` of an error -32011.
    static var statuses: JSONValue {
        var seen: Set<SDKStatus> = []
        let used = MethodTable.all.flatMap { $0.definition.statuses }.filter { seen.insert($0).inserted }
        return .object(JSONObject(used.map { ($0.rawValue, RPCError.unanswered($0).json) }))
    }

    private static func sample(_ name: ErrorName, _ denial: RPCError) -> RPCError {
        switch name {
        case .parseError: .parseError("unexpected end")
        case .invalidRequest: .invalidRequest("the member \"method\" is missing")
        case .methodNotFound: .methodNotFound("getAuthorisation", nearest: "getAuthorization")
        case .invalidParams:
            .invalidParams(SchemaFault(path: "resources[2]", expected: "a string", found: "a number"))
        case .internalError: .internalError()
        case .denied: denial
        case .limit: .limit("pending-calls-per-session", maximum: 64)
        case .notReady: .notReady(.starting)
        case .requestorNotSet: .requestorNotSet()
        case .unanswered(let status): .unanswered(status)
        case .flowConflict: .flowConflict("This session already has a login in progress")
        }
    }
}

extension MethodDefinition {
    /// The names of the method's errors, only one for each JSON-RPC code.
    fileprivate var errorNames: [String] {
        var seen: Set<Int> = []
        return errors.filter { seen.insert($0.code).inserted }.map { error in
            if case .unanswered = error { ErrorName.unansweredEntry } else { error.text }
        }
    }
}
