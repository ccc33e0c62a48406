// Tests that each typical mistake is reported with a name and a remedy, and that docs/troubleshooting.md has these
// words.

import PassProtocol
import PassTestKit
import Testing

@Suite("operations.md §1, §2; rpc.md §7: typical mistakes") struct MistakeTests {
    @Test(arguments: MistakeTable.all) func `the report says what is wrong and what to do`(
        mistake: Mistake
    ) async throws {
        let told = try await mistake.make()
        #expect(told.contains(mistake.message), "\(told)")
        if mistake.saysRemedy { #expect(told.contains(mistake.remedy), "\(told)") }
    }

    @Test func `there are many mistakes, and all reports differ`() {
        #expect(MistakeTable.all.count >= 25)
        #expect(Set(MistakeTable.all.map(\.message)).count == MistakeTable.all.count)
        #expect(Set(MistakeTable.all.map(\.what)).count == MistakeTable.all.count)
        for teller in Mistake.Teller.allCases { #expect(MistakeTable.all.contains { $0.teller == teller }) }
    }

    @Test func `the table of messages is in the documentation`() throws {
        let mistakes = Mistake.Teller.allCases.map { teller in
            let rows = MistakeTable.all.filter { $0.teller == teller }
            return "### \(teller.heading)\n\n"
                + Self.table(
                    ["What is wrong", "What is said", "What to do"],
                    rows.map { [$0.what, "`\($0.message)`", $0.remedy] })
        }
        let reasons = ReasonTable.codes.compactMap { code in
            ReasonTable.reason(of: code).map { ["`\(code)`", $0.meaning, $0.remedy] }
        }
        let why = Self.table(["Code", "What `passd-cli why` says", "What to do"], reasons)
        let page =
            """
            # Troubleshooting

            This page lists messages of the programs, their causes, and what to do. The first tables show typical mistakes in
            the setup of boxes and apps. The last table shows why something does not play. The [glossary](glossary.md) explains
            the terms. A test generates this page (`PASSD_REGENERATE=1 swift test --filter MistakeTests`).

            Begin with one of these commands:

            | What happens | Command |
            | --- | --- |
            | The daemon does not start, or does not recognize an app | `passd --check-config`, `journalctl -u passd -x` |
            | No app gets anything from the service | `passd-cli doctor` |
            | An app is denied | `passd-cli policy explain METHOD --pid PID --requestor ID` |
            | A viewer cannot watch something | `passd-cli why RESOURCE` |
            | A viewer was signed out | `passd-cli why REQUESTOR` |
            | None of this helps | `passd-cli bugreport` |

            ## Typical mistakes


            """ + mistakes.joined(separator: "\n")
                + """

                ## Why something does not play

                `passd-cli why` also shows the provider's own text, if there is one, and the trace for the service's support.


                """ + why
        #expect(
            try GeneratedFile("docs/troubleshooting.md", is: page).isCurrent(),
            "docs/troubleshooting.md is not what the tables print")
    }

    private static func table(_ head: [String], _ rows: [[String]]) -> String {
        let lines = [head, head.map { _ in "---" }] + rows.map { row in row.map { $0.replacing("|", with: "\\|") } }
        return lines.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n") + "\n"
    }
}
