// Tests that `passd-cli completion` prints the shipped scripts. EndToEnd tests them with real shells.

import FoundationEssentials
import PassArguments
import PassJSON
import Testing

@testable import PassCLI

@Suite("operations.md §1: completion")
struct CompletionTests {
    @Test(arguments: [
        ("bash", "completions/bash/passd-cli"), ("zsh", "completions/zsh/_passd-cli"),
        ("fish", "completions/fish/passd-cli.fish"),
    ])
    func `the shipped scripts are exactly what the verb prints`(shell: String, path: String) async throws {
        let ran = await run(["completion", shell])
        #expect(ran.exit == .done && ran.err == "")
        let repository = #filePath.dropLast("Tests/PassdCLITests/CompletionTests.swift".count)
        #expect(try String(contentsOfFile: repository + path, encoding: .utf8) == ran.out)
    }

    @Test(arguments: [[], ["tcsh"], ["Bash"], [""]])
    func `a missing or wrong shell is a mistake, and the message names the three shells`(_ shell: [String]) async {
        let ran = await run(["completion"] + shell)
        #expect(ran.exit == .usage)
        #expect(ran.out == "")
        for name in ["bash", "zsh", "fish"] { #expect(ran.err.contains(name)) }
    }

    @Test func `a second shell is a mistake`() async {
        #expect(await run(["completion", "bash", "zsh"]).exit == .usage)
    }

    @Test func `with --json the script is a string`() async throws {
        let ran = await run(["--json", "completion", "bash"])
        let data = try object(ran.out)["data"]
        #expect(data?["shell"] == "bash")
        #expect(data?["script"]?.string?.contains("complete -F _passd_cli passd-cli\n") == true)
    }

    @Test func `options with the same name take the same kind of value`() {
        // The scripts recognize an option only by its name.
        for option in ProgramSyntax.passdCLI.verbs.flatMap(\.options) {
            let first = ProgramSyntax.passdCLI.allOptions.first { $0.name == option.name }
            #expect(first?.value == option.value && first?.known == option.known)
        }
    }
}
