// Tests that pass-sandbox(1) matches the program's tables. PASSD_REGENERATE=1 writes its generated parts.

import PassArguments
import PassTestKit
import Testing

@testable import PassSandboxCLI

@Suite struct SandboxManualTests {
    private let program = ProgramSyntax.passSandbox

    @Test func `verbs, options and exit codes are what the tables print`() throws {
        let options = program.verbs.flatMap(\.options) + program.options
        let names = options.map(\.name)
        let each = options.indices.filter { names.firstIndex(of: names[$0]) == $0 }.map { options[$0] }
        let parts: KeyValuePairs = [
            "verbs": ProgramManual.verbs(program, withOptions: false), "options": ProgramManual.options(each),
            "exit status": ProgramManual.exitCodes(program),
        ]
        #expect(
            try GeneratedFile("docs/man/pass-sandbox.1", parts: parts).isCurrent(),
            "docs/man/pass-sandbox.1 is not what the tables print")
    }

    @Test func `an option means the same for every verb`() {
        // The manual explains each option once.
        for option in program.verbs.flatMap(\.options) {
            for other in program.verbs.flatMap(\.options) where other.name == option.name {
                #expect(other == option, "\(option.name)")
            }
        }
    }
}
