// The program. It parses the command line, runs the verb and prints the outcome. A failure becomes two lines and an exit code.

import Glibc
import PassArguments
import PassJSON

package struct Program: Sendable {
    let words: [String]
    let environment: [String: String]
    let console: any Console

    /// Runs the program with the arguments of the process, and ends the process.
    @MainActor package static func main() async -> Never {
        Descriptors.occupyStandard()
        signal(SIGPIPE, SIG_IGN)
        // Silences libdispatch, because it would log that an unprivileged user may not raise a thread's priority.
        setenv("LIBDISPATCH_LOG", "NO", 0)
        let environment = Environment.current()
        let program = Program(
            words: Array(CommandLine.arguments.dropFirst()), environment: environment,
            console: TerminalConsole(environment: environment))
        exit(await program.run().rawValue)
    }

    func run() async -> ExitCode {
        do {
            switch try ProgramSyntax.passdCLI.read(words) {
            case .answer(let text): return try show(Outcome(text: String(text.dropLast())), asJSON: nil)
            case .run(let syntax, let arguments):
                let invocation = try Invocation(arguments, environment: environment, console: console)
                guard let verb = Verb.all.first(where: { $0.syntax.name == syntax.name }) else { return .failed }
                let kind = String(syntax.name.map { $0 == " " ? "-" : $0 })
                return try show(try await verb.run(invocation), asJSON: invocation.wantsJSON ? kind : nil)
            }
        } catch {
            return report(Failure(any: error))
        }
    }

    /// Prints the outcome. If the reader has closed the pipe, the exit code still reports the outcome.
    private func show(_ outcome: Outcome, asJSON kind: String?) throws(OutputLost) -> ExitCode {
        for note in outcome.notes { console.tell(note) }
        do throws(OutputLost) {
            if let kind {
                if let data = outcome.data { try console.write(kind, data) }
            } else if !outcome.text.isEmpty {
                let screen = console.output
                let wraps = outcome.isProse && screen.isTerminal
                let text = wraps ? Wrapping.wrapped(outcome.text, to: screen.columns) : outcome.text
                try console.write(text + "\n")
            }
        } catch {
            if error != .readerGone { throw error }
        }
        return outcome.exit
    }

    private func report(_ failure: Failure) -> ExitCode {
        console.tell(failure.message, remedy: failure.remedy)
        if ProgramSyntax.asks(Option.json.name, words) { try? console.write("error", failure.json) }
        return failure.exit
    }
}
