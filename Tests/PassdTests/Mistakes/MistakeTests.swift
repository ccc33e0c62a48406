// Tests that each typical mistake of docs/troubleshooting.md is reported in the words of the page, with its remedy.

import Testing

@Suite("operations.md §1, §2; rpc.md §7: typical mistakes") struct MistakeTests {
    @Test(arguments: MistakeTable.all) func `the report says what is wrong and what to do`(
        mistake: Mistake
    ) async throws {
        let row = try #require(
            TroubleshootingPage.rows(below: mistake.teller.heading).first { $0.what == mistake.what })
        let told = try await mistake.make()
        #expect(told.contains(row.message), "\(told)")
        if mistake.saysRemedy { #expect(told.contains(row.remedy), "\(told)") }
    }

    @Test(arguments: Mistake.Teller.allCases) func `the page has exactly these mistakes`(teller: Mistake.Teller) throws
    {
        let made = MistakeTable.all.filter { $0.teller == teller }.map(\.what)
        #expect(!made.isEmpty)
        #expect(try TroubleshootingPage.rows(below: teller.heading).map(\.what) == made)
    }

    @Test func `there are many mistakes, and all reports differ`() throws {
        let rows = try Mistake.Teller.allCases.flatMap { try TroubleshootingPage.rows(below: $0.heading) }
        #expect(rows.count >= 25)
        #expect(Set(rows.map(\.message)).count == rows.count)
        #expect(Set(rows.map(\.what)).count == rows.count)
    }
}
