// What a verb came to. Nothing in it is printed yet, so that verbs are tested without a process.

import PassClient
import PassJSON
import PassProtocol

struct Outcome: Sendable, Equatable {
    var exit = ExitCode.done
    /// For `--json`; nil if the verb has printed its objects already.
    var data: JSONValue?
    /// For people and scripts: the answer, without the end of its last line. Empty: nothing on standard output.
    var text = ""
    /// What else there is to say, a sentence each, for standard error.
    var notes: [String] = []
}

enum OutputEnvelope {
    /// One object on one line. operations.md §1.
    static func line(_ kind: String, _ data: JSONValue) -> String {
        JSONText.line([
            "passd": ["format": 1, "version": .string(PassdVersion.text)], "kind": .string(kind), "data": data,
        ]) + "\n"
    }
}
