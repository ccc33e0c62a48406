// Prints a schema as JSON Schema, draft 7. OpenRPC 1.4 is based on this draft.

package import PassJSON
package import PassProtocol

extension Schema {
    package var jsonSchema: JSONValue {
        switch self {
        case .any: true
        case .null: ["type": "null"]
        case .boolean: ["type": "boolean"]
        case .number: ["type": "number"]
        case .integer(nil): ["type": "integer"]
        case .integer(let range?):
            .members([
                "type": "integer",
                "minimum": range.lowerBound == .min ? nil : .int(range.lowerBound),
                "maximum": range.upperBound == .max ? nil : .int(range.upperBound),
            ])
        case .string(let format): .members(["type": "string", "format": format.map(JSONValue.string)])
        case .enumeration(let texts): ["type": "string", "enum": .strings(texts)]
        case .array(let item): ["type": "array", "items": item.jsonSchema]
        case .map(let item): ["type": "object", "additionalProperties": item.jsonSchema]
        case .object(let members): Self.object(members)
        case .nullable(let schema): ["oneOf": [schema.jsonSchema, ["type": "null"]]]
        case .oneOf(let schemas): ["oneOf": .array(schemas.map(\.jsonSchema))]
        case .component(let component): ["$ref": .string("#/components/schemas/\(component.name)")]
        }
    }

    private static func object(_ members: [Member]) -> JSONValue {
        let required = members.filter(\.isRequired).map(\.name)
        return .members([
            "type": "object",
            "properties": .object(JSONObject(members.map { ($0.name, $0.jsonSchema) })),
            "required": required.isEmpty ? nil : .strings(required),
        ])
    }
}

extension Member {
    /// The member's schema with its description and default. A reference with a description or default is wrapped, because
    /// draft 7 ignores members next to a `$ref`.
    package var jsonSchema: JSONValue {
        var extras = JSONObject()
        if !summary.isEmpty { extras.append("description", .string(summary)) }
        if let fallback { extras.append("default", fallback) }
        guard !extras.members.isEmpty else { return schema.jsonSchema }
        guard var printed = schema.jsonSchema.object else { return .object(extras) }
        if printed["$ref"] != nil { printed = JSONObject([("allOf", [.object(printed)])]) }
        for extra in extras.members { printed.append(extra.name, extra.value) }
        return .object(printed)
    }
}
