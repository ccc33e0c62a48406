// Tests what the completion scripts rely on. `GeneratedFileTests` compares them with the files, and EndToEnd runs them in real
// shells.

import PassArguments
import Testing

@testable import PassCLI

@Suite("operations.md §1: completion")
struct CompletionTests {
    @Test func `options with the same name take the same kind of value`() {
        // The scripts recognize an option only by its name.
        for option in ProgramSyntax.passdCLI.verbs.flatMap(\.options) {
            let first = ProgramSyntax.passdCLI.allOptions.first { $0.name == option.name }
            #expect(first?.value == option.value && first?.known == option.known)
        }
    }
}
