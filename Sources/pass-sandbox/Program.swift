// The program. It runs the verb. An error becomes one line and an exit code.

import Glibc
import PassArguments
import PassSandbox

package enum Program {
    /// Runs the program with the arguments of the process, and ends the process.
    package static func main() -> Never {
        Descriptors.occupyStandard()
        // Silences libdispatch, because it would log that an unprivileged user may not raise a thread's priority.
        setenv("LIBDISPATCH_LOG", "NO", 0)
        do {
            end(try run(CommandLine.arguments.dropFirst()))
        } catch let mistake as Mistake {
            Terminal.warn(mistake.description)
            end(.usage)
        } catch let failure as Failure {
            Terminal.warn(failure.message)
            end(failure.code)
        } catch {
            Terminal.warn("\(error)")
            let isConfiguration = error is CatalogueFileError || (error as? ServerError)?.concernsTLS == true
            end(isConfiguration ? .configuration : .failed)
        }
    }

    /// Ends the program without `exit`, because `exit` would free OpenSSL's data while threads may still use it.
    private static func end(_ code: ExitCode) -> Never {
        _exit(code.rawValue)
    }

    private static func run(_ words: ArraySlice<String>) throws -> ExitCode {
        switch try ProgramSyntax.passSandbox.read(words) {
        case .answer(let text):
            try Terminal.answer(text)
            return .done
        case .run(let syntax, let arguments):
            return try Verb.all.first { $0.syntax.name == syntax.name }?.run(arguments) ?? .failed
        }
    }
}
