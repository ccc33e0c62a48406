// The result of a verb. It is printed later, so that verbs can be tested without a process.

import PassClient
import PassJSON
import PassProtocol

struct Outcome: Sendable, Equatable {
    var exit = ExitCode.done
    /// The data for `--json`; nil if the verb has already printed its objects.
    var data: JSONValue?
    /// The answer for people and scripts, without the last line feed. If it is empty, nothing is printed.
    var text = ""
    /// Whether lines that are longer than the terminal are broken between words.
    var isProse = false
    /// Further sentences for standard error.
    var notes: [String] = []
}

enum OutputEnvelope {
    /// The JSON object of an answer, on one line. operations.md §1.
    static func line(_ kind: String, _ data: JSONValue) -> String {
        JSONText.line([
            "passd": ["format": 1, "version": .string(PassdVersion.text)], "kind": .string(kind), "data": data,
        ]) + "\n"
    }
}
