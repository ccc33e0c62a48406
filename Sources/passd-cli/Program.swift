// The program: parses the command line, runs the verb, prints the outcome, and turns failures into two lines and an
// exit code.

import PassClient
import PassProtocol

struct Program: Sendable {
    let words: [String]
    let environment: [String: String]
    let console: any Console

    init(words: [String], environment: [String: String], console: any Console) {
        self.words = words
        self.environment = environment
        self.console = Charset.isUTF8(environment) ? console : ASCIIConsole(console: console)
    }

    func run() async -> ExitCode {
        do {
            return try await carryOut()
        } catch OutputLost.readerGone {
            console.tell("The reader closed standard output.")
            return .failed
        } catch OutputLost.failed(let reason) {
            console.tell("Cannot write to standard output: \(reason).")
            return .failed
        } catch {
            return report(Failure(any: error))
        }
    }

    private func carryOut() async throws -> ExitCode {
        switch try Arguments.read(words) {
        case .help(let verbs):
            try answer(Help.text(verbs))
            return .done
        case .version:
            try answer("passd-cli \(PassdVersion.text)\n")
            return .done
        case .run(let verb, let arguments):
            let invocation = try Invocation(arguments, environment: environment, console: console)
            return try show(try await verb.run(invocation), of: verb, asJSON: invocation.wantsJSON)
        }
    }

    private func show(_ outcome: Outcome, of verb: Verb, asJSON: Bool) throws -> ExitCode {
        for note in outcome.notes { console.tell(note) }
        if asJSON {
            if let data = outcome.data {
                try unlessReaderIsGone { () throws(OutputLost) in try console.write(verb.kind, data) }
            }
        } else if !outcome.text.isEmpty {
            let screen = console.output
            let wraps = outcome.isProse && screen.isTerminal
            try answer((wraps ? Wrapping.wrapped(outcome.text, to: screen.columns) : outcome.text) + "\n")
        }
        return outcome.exit
    }

    /// Prints the final answer. If the reader has closed the pipe, the exit code still tells the outcome.
    private func answer(_ text: String) throws(OutputLost) {
        try unlessReaderIsGone { () throws(OutputLost) in try console.write(text) }
    }

    private func unlessReaderIsGone(_ print: () throws(OutputLost) -> Void) throws(OutputLost) {
        do throws(OutputLost) { try print() } catch {
            if error != .readerGone { throw error }
        }
    }

    private func report(_ failure: Failure) -> ExitCode {
        console.tell(failure.message, remedy: failure.remedy)
        if Arguments.asksForJSON(words) { try? console.write("error", failure.json) }
        return failure.exit
    }
}
