// Tests that a schema accepts its own examples, and reports place and expectation of the first fault.

import PassDescription
import PassJSON
import PassProtocol
import Testing

@Suite("rpc.md §2: schemas")
struct SchemaTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let schema: Schema
        let value: JSONValue
        /// The place of the fault; nil if the value is accepted.
        var path: String?
        var expected = ""
        var found = ""

        var testDescription: String { "\(schema.expectation): \(value)" }
    }

    static let member = Schema.object([
        .required("name", .string), .optional("sizes", .array(.integer(0...9))), .optional("map", .map(.boolean)),
        .optional("flow", .enumeration(["a", "b"])), .optional("id", .nullable(.string)),
        .optional("either", .oneOf([.string, .integer])),
    ])

    static let cases: [Case] = [
        Case(schema: .any, value: nil),
        Case(schema: .string, value: "x"),
        Case(schema: .string, value: 1, path: "", expected: "a string", found: "1"),
        Case(schema: .integer, value: .number(JSONNumber(verbatim: "1.0"))),
        Case(schema: .integer, value: .number(JSONNumber(verbatim: "1e3"))),
        Case(
            schema: .integer, value: .number(JSONNumber(verbatim: "1.5")), path: "", expected: "an integer",
            found: "1.5"),
        Case(
            schema: .integer, value: .number(JSONNumber(verbatim: "9223372036854775808")), path: "",
            expected: "an integer", found: "9223372036854775808"),
        Case(schema: .number, value: .number(JSONNumber(verbatim: "-0.5e9"))),
        Case(schema: .null, value: false, path: "", expected: "null", found: "false"),
        Case(schema: member, value: ["name": "n", "more": [1, [2]]]),
        Case(schema: member, value: [], path: "", expected: "an object", found: "an array"),
        Case(schema: member, value: [:], path: "name", expected: "a string", found: "absent"),
        Case(schema: member, value: ["name": nil], path: "name", expected: "a string", found: "null"),
        Case(
            schema: member, value: ["name": "n", "sizes": [1, 10]], path: "sizes[1]",
            expected: "an integer from 0 to 9", found: "10"),
        Case(
            schema: member, value: ["name": "n", "map": ["k": true, "l": "no"]], path: "map.l",
            expected: "true or false", found: "\"no\""),
        Case(
            schema: member, value: ["name": "n", "flow": "c"], path: "flow", expected: "one of \"a\", \"b\"",
            found: "\"c\""),
        Case(schema: member, value: ["name": "n", "id": nil]),
        Case(
            schema: member, value: ["name": "n", "id": 7], path: "id", expected: "a string or null", found: "7"),
        Case(schema: member, value: ["name": "n", "either": 7]),
        Case(
            schema: member, value: ["name": "n", "either": true], path: "either",
            expected: "a string or an integer", found: "true"),
    ]

    @Test(arguments: cases) func `a value is accepted, or the first fault is named`(_ row: Case) {
        do throws(SchemaFault) {
            try row.schema.check(row.value)
            #expect(row.path == nil)
        } catch {
            #expect(error == SchemaFault(path: row.path ?? "accepted", expected: row.expected, found: row.found))
        }
    }

    @Test(
        arguments: [
            (["nmae": "n"], "nmae"), (["Name": "n", "sizes": []], "Name"), (["sizes": []], nil), (["unlike": 1], nil),
            ([String(repeating: "name", count: 11): 1], nil),
        ] as [(JSONValue, String?)])
    func `for an absent member, a similar unknown name is named`(value: JSONValue, misspelling: String?) {
        #expect(throws: SchemaFault.self) { try Self.member.check(value) }
        do throws(SchemaFault) { try Self.member.check(value) } catch {
            let remedy = RPCError.invalidParams(error).json["data"]?["remedy"]?.string ?? ""
            #expect(error.found == "absent")
            #expect(remedy.hasPrefix(misspelling.map { "Did you mean \"name\" by \"\($0)\"? " } ?? "Correct"))
        }
    }

    @Test func `a reference with a description is wrapped, as draft 7 requires`() {
        let component = Component("Thing", summary: "", schema: .string)
        let member = Member.optional("thing", .component(component), summary: "What.")
        #expect(member.jsonSchema == ["allOf": [["$ref": "#/components/schemas/Thing"]], "description": "What."])
    }
}
