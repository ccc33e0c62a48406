// Tests the language of the traces: an incorrect trace must fail, and the failure must name the line.

import PassTestKit
import Testing

@testable import AccessEnabler

@Suite @EngineActor struct TraceLanguageTests {
    private static let setup = """
        # A trace
        A → setRequestor NEWS24
        ⇄ prepare NEWS24
        ⇄ profiles NEWS24 all
        A ← setRequestorComplete 1
        A ⇒ status=1 requestorID=NEWS24 authenticated=false

        """

    /// Runs the trace without waiting for missing lines, and returns its failure.
    private func failure(_ text: String) async throws -> TraceFailure? {
        do {
            try await TraceRunner.play(TraceScript(text, path: "/here/some.trace"), timeLimit: 50)
            return nil
        } catch let failure as TraceFailure { return failure }
    }

    @Test func `a correct trace passes, even with blank lines and additional spaces`() async throws {
        #expect(try await failure(Self.setup) == nil)
        #expect(
            try await failure(
                Self.setup
                    + "\n   A →  getSelectedProvider\n# why\n\nA ← selectedProvider  null 'New User'\nA ⇒ provider=null state='New User'"
            ) == nil)
    }

    @Test func `a wrong order is shown with file and line`() async throws {
        let lines = Self.setup.split(separator: "\n").map(String.init)
        let swapped = [0, 1, 3, 2, 4, 5].map { lines[$0] }.joined(separator: "\n")
        let failure = try #require(await failure(swapped))
        #expect(failure.line.number == 2 && failure.description.hasPrefix("some.trace:2: A → setRequestor NEWS24\n"))
        #expect(failure.reason.contains("- ⇄ p") && failure.reason.contains("+ ⇄ p"))
    }

    @Test(arguments: 2...5) func `a line that the trace lacks is reported as an extra line`(_ index: Int) async throws {
        var lines = Self.setup.split(separator: "\n").map(String.init)
        let line = lines.remove(at: index)
        #expect(try await failure(lines.joined(separator: "\n"))?.reason.contains("+ \(line)") == true)
    }

    @Test func `a line that does not come is reported as missing`() async throws {
        let failure = try #require(await failure(Self.setup + "A ~ N000"))
        #expect(failure.reason.split(separator: "\n").last == "     7 - A ~ N000")
        #expect(failure.reason.contains("     3   ⇄ prepare NEWS24"))
    }

    @Test func `an almost correct line is wrong`() async throws {
        let text = Self.setup.replacing("authenticated=false", with: "authenticated=true")
        #expect(try await failure(text) != nil)
    }

    @Test func `a line after the last block is an extra line, and a call without an answer is an error`()
        async throws
    {
        let held = "# A trace\nservice holds prepare\nA → setRequestor NEWS24\n⇄ prepare NEWS24"
        let failure = try #require(await failure(held))
        #expect(failure.line.number == 3 && failure.reason == "this was never answered")
        // Held lines appear in the block that releases them.
        #expect(try await self.failure(held + "\nservice releases prepare")?.line.number == 5)
    }

    /// The last line of each text must be refused.
    nonisolated static let nonsense = [
        "# t|⇄ prepare NEWS24", "# t|service dances", "# t|A → dance", "# t||A dances", "# t|clock +5 apples",
        "# t|service login at M1 alreadyIn M1 whatever", "# t|restart d2 d3",
        "# t|A → getMetadata METADATA_AUTHORIZATION",
        "# t|service releases prepare", "A → checkAuthentication", "# Only a title", "",
    ]

    @Test(arguments: nonsense) func `an invalid line is refused with its number`(_ lines: String) async throws {
        let text = lines.replacing("|", with: "\n")
        #expect(
            try await failure(text)?.line.number == text.split(separator: "\n", omittingEmptySubsequences: false).count)
    }

    @Test func `words in single quotes may contain spaces`() throws {
        var words = TraceWords("A → getAuthorization ' a  b' '' c")
        #expect(words.all() == ["A", "→", "getAuthorization", " a  b", "", "c"])
    }
}
