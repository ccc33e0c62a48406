// The entry of the program: runs the verb, and turns its errors into one line and an exit code.

import Glibc
import PassSandbox

@main
enum PassSandboxCommand {
    static func main() {
        Terminal.occupyStandardDescriptors()
        // Otherwise libdispatch reports to the system's log that an unprivileged user may not raise a thread's
        // priority.
        setenv("LIBDISPATCH_LOG", "NO", 0)
        do {
            end(try run(CommandLine.arguments.dropFirst()))
        } catch let failure as Failure {
            Terminal.warn(failure.message)
            end(failure.code)
        } catch {
            Terminal.warn("\(error)")
            let isConfiguration = error is CatalogueFileError || (error as? ServerError)?.concernsTLS == true
            end(isConfiguration ? .configuration : .failed)
        }
    }

    /// Not by `exit`, which takes OpenSSL's data down beside the threads of the server that still use it.
    private static func end(_ code: ExitCode) -> Never {
        _exit(code.rawValue)
    }

    private static func run(_ words: ArraySlice<String>) throws -> ExitCode {
        guard let first = words.first else {
            throw Failure(.usage, "no verb is given: \(Verb.all.map(\.name).joined(separator: ", ")); try --help")
        }
        if first == "help" { return try help(words.dropFirst()) }
        if first.hasPrefix("-"), Arguments.asksForHelp(words) { return try answer(Help.overview) }
        if Arguments.question(first) == .version {
            if let extra = words.dropFirst().first {
                throw Failure(.usage, "unexpected argument \"\(extra)\" after \(first)")
            }
            return try answer("pass-sandbox \(version)\n")
        }
        let verb = try verb(first)
        let arguments = try Arguments(words.dropFirst(), for: verb)
        switch arguments.asks {
        case .help: return try answer(Help.page(for: verb))
        case .version: return try answer("pass-sandbox \(version)\n")
        case nil: return try verb.run(arguments)
        }
    }

    private static func help(_ words: ArraySlice<String>) throws(Failure) -> ExitCode {
        let names = words.filter { Arguments.question($0) != .help }
        guard let name = names.first else { return try answer(Help.overview) }
        let verb = try verb(name)
        if let extra = names.dropFirst().first { throw Failure(.usage, "unexpected argument \"\(extra)\" after help") }
        return try answer(Help.page(for: verb))
    }

    private static func verb(_ name: String) throws(Failure) -> Verb {
        guard let verb = Verb.all.first(where: { $0.name == name }) else {
            throw Failure(
                .usage,
                "unknown \(name.hasPrefix("-") ? "option" : "verb") \"\(name)\""
                    + nearest(name, Verb.all.map(\.name)))
        }
        return verb
    }

    private static func answer(_ text: String) throws(Failure) -> ExitCode {
        try Terminal.answer(text)
        return .done
    }
}
