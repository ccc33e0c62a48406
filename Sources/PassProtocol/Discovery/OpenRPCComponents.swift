// The named schemas and errors to which the methods of the OpenRPC document refer.

import PassJSON

extension OpenRPCDocument {
    public static let typeNames = components.map(\.name)

    static var schemas: JSONValue {
        let members = components.map { component -> (String, JSONValue) in
            var printed = component.schema.jsonSchema.object ?? JSONObject()
            printed.append("title", .string(component.name))
            printed.append("description", .string(component.summary))
            return (component.name, .object(printed))
        }
        return .object(JSONObject(members))
    }

    /// Every component that a method, callback or event uses, each once.
    private static var components: [Component] {
        let methods = MethodTable.all.map { $0.definition }
        var used: [Component] = methods.flatMap { $0.schema.components + $0.result.components }
        used += CallbackTable.all.flatMap { $0.schema.components }
        used += EventTable.all.flatMap { $0.schema.components }
        used += [errorComponent] + errorComponent.schema.components
        var seen: Set<String> = []
        return used.filter { seen.insert($0.name).inserted }
    }

    /// The form of all errors. rpc.md §2.
    static let errorComponent = Component(
        "Error", summary: "What failed and what to do about it.",
        schema: .object([
            .required("code", .integer), .required("message", .string, summary: "A short sentence."),
            .required(
                "data",
                .object(
                    [
                        .required("code", .string, summary: "The stable name."),
                        .required("remedy", .string, summary: "What to do."),
                        .optional("action", .string, summary: "What the backend recommends."),
                        .optional("retryAfter", .integer(0...Int64.max), summary: "Seconds."),
                        .optional("trace", .string, summary: "For the backend's support."), .optional("details", .any),
                        .optional(
                            "limit", .integer(0...Int64.max), summary: "Bytes or items, where a size was exceeded."),
                    ] + ViewerWords.members("If a viewer waits for the answer"))),
        ]))

    /// One entry for each code of JSON-RPC, because the errors of a method must have different codes. -32011 is one error
    /// with many names; `x-passd-statuses` of a method lists those that it may have.
    static var errors: JSONValue {
        var members = ErrorName.named.map { ($0.text, sample($0).json) }
        let unanswered: JSONValue = [
            "code": .int(ErrorName.unanswered(.N500).code),
            "message": "The question could not be answered; data.code says why, by a status of the AccessEnabler.",
        ]
        members.append((ErrorName.unansweredEntry, unanswered))
        return .object(JSONObject(members))
    }

    /// What each status means that a method may have as `data.code` of -32011, by its name.
    static var statuses: JSONValue {
        var seen: Set<SDKStatus> = []
        let used = MethodTable.all.flatMap { $0.definition.statuses }.filter { seen.insert($0).inserted }
        return .object(JSONObject(used.map { ($0.rawValue, RPCError.unanswered($0).json) }))
    }

    private static func sample(_ name: ErrorName) -> RPCError {
        switch name {
        case .parseError: .parseError("unexpected end")
        case .invalidRequest: .invalidRequest("the member \"method\" is missing")
        case .methodNotFound: .methodNotFound("getAuthorisation", nearest: "getAuthorization")
        case .invalidParams:
            .invalidParams(SchemaFault(path: "resources[2]", expected: "a string", found: "a number"))
        case .internalError: .internalError()
        case .denied: .denied("No app stanza matches this peer")
        case .limit: .limit("pending-calls-per-session", maximum: 64)
        case .notReady: .notReady(.starting)
        case .requestorNotSet: .requestorNotSet()
        case .unanswered(let status): .unanswered(status)
        case .flowConflict: .flowConflict("This session already has a login in progress")
        }
    }
}
