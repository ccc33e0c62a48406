// Tests what pass-sandbox(1) relies on.

import PassArguments
import PassSandboxCLI
import Testing

@Suite struct SandboxManualTests {
    @Test func `an option means the same for every verb`() {
        // The manual explains each option once.
        let options = ProgramSyntax.passSandbox.verbs.flatMap(\.options)
        for option in options {
            for other in options where other.name == option.name { #expect(other == option, "\(option.name)") }
        }
    }
}
