// Makes the OpenRPC 1.4 document from the tables of methods, callbacks and events. rpc.md §6.

public import PassJSON

public enum OpenRPCDocument {
    /// Makes a new document. `version` is the daemon's; methods that it does not offer are left out.
    public static func json(version: String, offers: (MethodDefinition) -> Bool = { _ in true }) -> JSONValue {
        [
            "openrpc": "1.4.0",
            "info": [
                "title": "passd", "version": .string(version),
                "description": "The TV entitlement daemon of this box: JSON-RPC 2.0 over a Unix socket.",
            ],
            "servers": [server(.api)],
            "methods": .array(MethodTable.all.map { $0.definition }.filter(offers).map(method)),
            "components": ["schemas": schemas, "errors": errors], "x-passd-statuses": statuses,
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
