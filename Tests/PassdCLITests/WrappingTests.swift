// Tests the wrapping of long lines, and the text for the difference of clocks.

import PassArguments
import PassJSON
import Testing

@testable import PassCLI

@Suite("operations.md §1: text for terminals") struct WrappingTests {
    @Test(arguments: [
        ("short", "short"), ("", ""), ("one\n\ntwo", "one\n\ntwo"),
        ("a sentence that is longer than the line", "a sentence that is longer\nthan the line"),
        ("fail  name: a sentence of many words", "fail  name: a sentence of\n      many words"),
        ("      a remedy of several words", "      a remedy of several\n      words"),
        (
            "\u{1B}[31mfail\u{1B}[0m  name: a sentence of many",
            "\u{1B}[31mfail\u{1B}[0m  name: a sentence of\n      many"
        ),
        ("\u{1B}[31mfail\u{1B}[0m  name: a sentence of", "\u{1B}[31mfail\u{1B}[0m  name: a sentence of"),
        ("see https://portal.hotel.example/login now", "see\nhttps://portal.hotel.example/login\nnow"),
        ("https://portal.hotel.example/login", "https://portal.hotel.example/login"),
        // A label that takes most of the line leaves room for its text.
        ("a.very.long.label.name  value and more", "a.very.long.label.name  value\n            and more"),
    ]) func `lines are wrapped between words, below the text after their label`(text: String, wrapped: String) {
        #expect(Wrapping.wrapped(text, to: 25) == wrapped)
    }

    @Test func `long lines are wrapped only on a terminal, and never in JSON`() async throws {
        let message = "The answer cannot be used: it redirects to portal.hotel.example, as a captive portal does."
        let checks: JSONValue = ["checks": [["name": "backend", "outcome": "fail", "message": .string(message)]]]
        let daemon = try ScriptedDaemon(["passd.doctor": .result(checks)])
        for (screen, words, isBroken) in [
            (Screen(isTerminal: true), [], true), (Screen(isTerminal: true, columns: 40), [], true),
            (Screen(isTerminal: true, columns: 200), [], false), (Screen(isTerminal: false), [], false),
            (Screen(isTerminal: true), ["--json"], false),
        ] {
            let console = RecordedConsole(output: screen)
            let out = await run(["--no-color", "doctor"] + words, daemon, console: console).out
            #expect(out.contains(message) != isBroken)
            let longest = out.split(separator: "\n").map(\.count).max() ?? 0
            #expect(!isBroken || longest <= screen.columns, "\(out)")
        }
    }

    @Test func `on a screen that is too narrow, lines are not wrapped`() {
        #expect(Wrapping.wrapped("a sentence that is long", to: 9) == "a sentence that is long")
    }

    @Test(
        arguments: [
            (0, "0 ms"), (-999, "-999 ms"), (1000, "1 second"), (-7500, "-7 seconds"), (93_784_000, "26 hours"),
            (Int64.min, "-106751991167 days"),
        ] as [(Int64, String)]) func `the difference of two clocks is printed as words`(
            milliseconds: Int64, text: String
        )
    {
        #expect(Table.cell(.int(milliseconds), "offset") == text)
    }
}
