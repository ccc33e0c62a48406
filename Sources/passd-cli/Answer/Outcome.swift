// The result of a verb. It is printed later, so that verbs can be tested without a process.

import PassArguments
import PassJSON
import PassProtocol

struct Outcome: Sendable, Equatable {
    var exit = ExitCode.done
    /// The data for `--json`; nil if the verb has already printed its objects.
    var data: JSONValue?
    /// The answer for people and scripts, without the last line feed. If it is empty, nothing is printed.
    var text = ""
    /// Whether long lines are broken between words to fit the terminal.
    var isProse = false
    /// Further sentences for standard error.
    var notes: [String] = []

    static func table(_ result: JSONValue, _ rows: [JSONValue], ifNone note: String, _ paint: Paint) -> Outcome {
        Outcome(data: result, text: Table.columns(rows, paint: paint), notes: rows.isEmpty ? [note] : [])
    }
}
