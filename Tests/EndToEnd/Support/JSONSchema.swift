// The part of JSON Schema (draft 7) that OpenRPC documents use. It was written independently of the code that makes our
// documents.

import PassJSON
import PassProtocol

struct JSONSchema {
    struct Violation: Error, CustomStringConvertible {
        let description: String
    }

    /// The document that `#/…` refers to.
    let document: JSONValue

    func check(_ value: JSONValue, _ schema: JSONValue, _ path: String = "$") throws {
        if let verdict = schema.bool {
            if !verdict { throw Violation(description: "\(path) must not be there") }
            return
        }
        if let reference = schema["$ref"]?.string { return try check(value, try follow(reference), path) }
        if let type = schema["type"]?.string, !Self.isOf(type, value) {
            throw Violation(description: "\(path) should be \(type), is \(value.kind)")
        }
        if let choices = schema["enum"]?.array, !choices.contains(value) {
            throw Violation(description: "\(path) is none of the allowed values: \(value)")
        }
        if let number = value.number?.double {
            if let least = schema["minimum"]?.number?.double, number < least {
                throw Violation(description: "\(path) is less than \(least)")
            }
            if let most = schema["maximum"]?.number?.double, number > most {
                throw Violation(description: "\(path) is more than \(most)")
            }
        }
        for part in schema["allOf"]?.array ?? [] { try check(value, part, path) }
        try checkChoice(value, schema["anyOf"]?.array, path) { $0 >= 1 }
        try checkChoice(value, schema["oneOf"]?.array, path) { $0 == 1 }
        if let items = schema["items"], let values = value.array {
            for (index, item) in values.enumerated() { try check(item, items, "\(path)[\(index)]") }
        }
        if let object = value.object { try check(object, schema, path) }
    }

    private func check(_ object: JSONObject, _ schema: JSONValue, _ path: String) throws {
        for name in schema["required"]?.array?.compactMap(\.string) ?? [] where object[name] == nil {
            throw Violation(description: "\(path).\(name) is missing")
        }
        let prefixes = schema["patternProperties"]?.object?.members.map { $0.name.dropFirst() } ?? []
        for member in object.members {
            if let known = schema["properties"]?[member.name] {
                try check(member.value, known, "\(path).\(member.name)")
            } else if !prefixes.contains(where: { member.name.hasPrefix($0) }),
                let rest = schema["additionalProperties"]
            {
                try check(member.value, rest, "\(path).\(member.name)")
            }
        }
    }

    private func checkChoice(
        _ value: JSONValue, _ choices: [JSONValue]?, _ path: String, _ isEnough: (Int) -> Bool
    ) throws {
        guard let choices else { return }
        var reasons: [String] = []
        for choice in choices {
            do { try check(value, choice, path) } catch { reasons.append("\(error)") }
        }
        if !isEnough(choices.count - reasons.count) {
            throw Violation(description: "\(path) fits \(choices.count - reasons.count) of the choices: \(reasons)")
        }
    }

    private func follow(_ reference: String) throws -> JSONValue {
        var place = document
        for step in reference.split(separator: "/").dropFirst() {
            guard let next = place[String(step)] else {
                throw Violation(description: "\(reference) leads nowhere")
            }
            place = next
        }
        return place
    }

    private static func isOf(_ type: String, _ value: JSONValue) -> Bool {
        switch type {
        case "null": value.isNull
        case "boolean": value.bool != nil
        case "object": value.object != nil
        case "array": value.array != nil
        case "string": value.string != nil
        case "number": value.number != nil
        case "integer": value.int64 != nil
        default: false
        }
    }
}
