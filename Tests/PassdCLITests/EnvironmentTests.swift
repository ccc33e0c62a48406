// Tests how the environment of the process is read.

import FoundationEssentials
import Testing

@testable import PassCLI

@Suite("cli.md: the environment") struct EnvironmentTests {
    @Test(
        arguments: [
            ([], [:]), (["A=1"], ["A": "1"]), (["A=1", "A=2"], ["A": "2"]), (["A="], ["A": ""]), (["A"], [:]),
            (["A=b=c"], ["A": "b=c"]), (["=x"], ["": "x"]), (["A=é😀"], ["A": "é😀"]), ([""], [:]),
        ] as [([String], [String: String])])
    func `each entry is a name with a value`(entries: [String], expected: [String: String]) {
        #expect(Environment.variables(entries) == expected)
    }

    @Test func `the environment is the same as Foundation's`() {
        #expect(Environment.current() == ProcessInfo.processInfo.environment)
    }
}
