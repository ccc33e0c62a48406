// Tests that resources are identified by their bytes, without normalisation, trimming or confusion.

import AccessEnabler
import PassTestTools
import Testing

@testable import PassBackend

@Suite("access-enabler.md §13.0, rest-v2.md D1, D2: resources byte for byte") struct ExactResourceTests {
    private static let composed = "caf\u{E9}"
    private static let decomposed = "cafe\u{301}"

    private func answer(_ items: [(resource: String, authorized: Bool)]) throws -> DecisionsAnswer {
        let list = items.map { #"{"resource": "\#($0.resource)", "authorized": \#($0.authorized)}"# }
        return try DecisionsAnswer.read(HTTPResponse(status: 200, body: Array(Sample.decisions(list).utf8))).get()
    }

    @Test func `canonically equivalent resources are different requests`() throws {
        let caller = try Box().caller()
        let questions = [Self.composed, Self.decomposed, Self.composed].map { name in
            ServiceQuestion(.preauthorization([ResourceID(rawValue: name)], north), caller)
        }
        #expect(questions[0] != questions[1])
        #expect(questions[0] == questions[2])
    }

    @Test func `canonically equivalent resources are requested separately, and each is sent unchanged`() async throws {
        let box = try Box { request, _ in request.url.path.contains("/decisions/") ? .held : nil }
        let tasks = [Self.composed, Self.decomposed].map { name in
            Task { try await box.backend.preauthorize([ResourceID(rawValue: name)], at: north, box.caller()) }
        }
        await eventually { box.service.heldCount == 2 }
        box.service.release(.answer(200, Sample.decisions([Sample.denial(Self.composed, "x")])))
        #expect(try await tasks[0].value.map(\.error?.code) == ["x"])
        #expect(try await tasks[1].value.map(\.error?.code) == ["decision_missing"])
        #expect(
            Set(box.service.calls.map(\.body))
                == Set([Self.composed, Self.decomposed].map { Array(#"{"resources":["\#($0)"]}"#.utf8) }))
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let asked: [String]
        let answered: [(resource: String, authorized: Bool)]
        /// The expected decisions; nil if a decision is missing.
        let expected: [Bool?]
        var testDescription: String { "\(asked) \(answered.map(\.resource))" }
    }

    static let rows: [Row] = [
        .init(asked: ["A "], answered: [("A ", true), ("A", false)], expected: [true]),
        .init(asked: ["A ", "A"], answered: [("A ", true), ("A", false)], expected: [true, false]),
        .init(asked: ["A", "A "], answered: [("A ", true), ("A", false)], expected: [false, true]),
        .init(asked: ["A"], answered: [("A ", true)], expected: [true]),
        .init(asked: [" A"], answered: [("A", true)], expected: [true]),
        .init(asked: ["A", "A "], answered: [("A", true)], expected: [true, nil]),
        .init(asked: ["A ", "A"], answered: [("A", true)], expected: [nil, true]),
        .init(asked: ["A", " A"], answered: [("A ", true)], expected: [true, nil]),
        .init(asked: ["A", " A"], answered: [("A ", true), ("A  ", false)], expected: [true, false]),
        .init(asked: ["A", "A"], answered: [("A", true)], expected: [true, true]),
        .init(asked: ["A", "A"], answered: [("A ", true)], expected: [true, true]),
        .init(asked: ["A"], answered: [("A", false), ("A", true)], expected: [false]),
        .init(asked: ["A"], answered: [("B", true)], expected: [nil]),
        .init(asked: [composed, decomposed], answered: [(decomposed, true)], expected: [nil, true]),
        .init(
            asked: [composed, decomposed], answered: [(decomposed, true), (composed, false)], expected: [false, true]),
        .init(asked: [composed], answered: [(decomposed + " ", true)], expected: [nil]),
        .init(asked: ["", "A"], answered: [(" ", true)], expected: [true, nil]),
    ]

    @Test(arguments: rows) func `every resource gets its own decision`(row: Row) throws {
        let decisions = try answer(row.answered).decisions(for: row.asked.map(ResourceID.init))
        #expect(decisions.map { $0.error?.code == "decision_missing" ? nil : $0.isAuthorized } == row.expected)
        #expect(decisions.map { Array($0.resource.rawValue.utf8) } == row.asked.map { Array($0.utf8) })
    }
}
