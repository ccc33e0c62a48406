// Tests columns with very long answers. The size of the text and the work must stay proportional to the answer.

import PassJSON
import PassProtocol
import Testing

@testable import PassCLI

@Suite struct TableTests {
    private func columns(_ rows: [JSONValue]) -> [Substring] {
        Table.columns(rows, paint: Paint(isOn: false)).split(separator: "\n", omittingEmptySubsequences: false)
    }

    private func row(_ members: [(String, JSONValue)]) -> JSONValue { .object(JSONObject(members)) }

    @Test func `rows without common names have sixty-four columns together`() {
        let rows = (0..<9000).map { row([("name\($0)", .int($0))]) }
        let lines = columns(rows)
        #expect(lines.count == 9001)
        #expect(lines[0].split(separator: " ") == (0..<64).map { "name\($0)" })
        #expect(lines[64].hasSuffix(" 63"))
        #expect(lines[65...].allSatisfy { $0.isEmpty })
    }

    @Test func `of very many rows the first are shown, with the number of the others`() {
        let lines = columns((0..<10_003).map { row([("n", .int($0))]) })
        #expect(lines.count == 10_002)
        #expect(lines[10_000] == "9999")
        #expect(lines[10_001] == "… and 3 more; --json shows them all")
    }

    @Test func `a very wide cell does not widen other rows`() {
        let long = String(repeating: "x", count: 100_000)
        let lines = columns(
            [row([("a", .string(long)), ("b", 1)])] + (0..<100).map { row([("a", .int($0)), ("b", 2)]) })
        #expect(lines[1] == "\(long)  1")
        #expect(lines[2...].allSatisfy { $0.utf8.count == 131 && $0.hasSuffix("  2") })
    }

    @Test func `many wide columns widen other rows no more than columns of usual width`() {
        let wide = row((0..<64).map { ("c\($0)", .string(String(repeating: "x", count: 128))) })
        let lines = columns([wide] + (0..<10).map { _ in row([("c63", "end")]) })
        #expect(lines[1].utf8.count == 64 * 128 + 63 * 2)
        #expect(lines[2...].allSatisfy { $0.utf8.count <= 1024 + 63 * 2 + 3 && $0.hasSuffix("end") })
    }

    @Test func `long names of nested members are cut`() {
        let long = String(repeating: "n", count: 10_000)
        let value = row([(long, row((0..<100).map { ("m\($0)", .int($0)) }))])
        #expect(Table.lines(value).utf8.count < 100 * 300)
        #expect(columns([value]).count == 2)
        let deep = (0..<60).reduce(JSONValue.int(1)) { value, _ in row([("level", value)]) }
        #expect(Table.lines(deep).utf8.count <= 256 + 3)
    }

    @Test func `times inside objects are also printed as times`() {
        #expect(Table.lines(["login": ["expires": 0]]) == "login.expires  \(Moment.text(0))")
    }

    @Test(arguments: [(80, 78), (40, 40), (20, 20), (0, 12), (-5, 12)])
    func `columns that do not fit are cut, the widest first`(_ screen: Int, _ width: Int) {
        let long = String(repeating: "a", count: 60)
        let text = Table.fitted(
            header: ["app", "open"], [[long, "1234567890123456"], ["b", "c"]], to: screen, paint: Paint(isOn: false))
        let lines = text.split(separator: "\n")
        #expect(lines.map(\.count).max() == width && lines.count == 3)
        #expect(lines[1].contains("~") == (width < 78))
        #expect(lines[2].hasPrefix("b "))
    }
}
