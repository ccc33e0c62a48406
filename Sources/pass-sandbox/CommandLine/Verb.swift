// The table of verbs, their common options, and the conversion of options to values.

import Glibc
package import PassArguments

let version = "0.1.0"

struct Verb: Sendable {
    let syntax: VerbSyntax
    let run: @Sendable (Arguments) throws -> ExitCode

    init(
        _ name: String, _ summary: String, operands: [Operand] = [], details: String, options: [Option],
        run: @escaping @Sendable (Arguments) throws -> ExitCode
    ) {
        syntax = VerbSyntax(name, summary, operands: operands, options: options, details: details)
        self.run = run
    }

    static let all: [Verb] = [serve, box, statement, serviceToken, logIn, verify]
}

extension ProgramSyntax {
    package static let passSandbox = ProgramSyntax(
        "pass-sandbox", "a stand-in for a pay-TV authentication service", version: version, options: [],
        groups: [("Verbs", Verb.all.map(\.syntax))], exitCodes: ExitCode.explained)
}

extension Option {
    static let catalogue = Option(
        "--catalog", "FILE", help: "the catalogue; default: Config/sandbox/catalog.json or the installed one")
    static let state = Option(
        "--state", "FILE", help: "keep registrations, sessions, logins and keys in this file")
    static let seed = Option("--seed", "N", help: "generate the same codes, ids and keys at every fresh start")
    static let server = Option(
        "--server", "URL", help: "the running sandbox; default: the variable SANDBOX, else http://127.0.0.1:8642",
        excludes: ["--catalog", "--state", "--seed"])
}

// The options that several verbs share, and their conversion to values.

extension Arguments {
    func seed() throws(Mistake) -> UInt64? { try number(.seed, in: 0...UInt64.max) }
}

/// Returns the path that `--catalog` names. Without this option, returns the first catalogue in these places: working
/// directory, `share` beside the program's folder, checkout, installed package.
func cataloguePath(_ arguments: Arguments) throws(Failure) -> String {
    if let path = arguments[.catalogue] { return path }
    let ofRepository = "Config/sandbox/catalog.json"
    var candidates = [ofRepository]
    if let program = realpath("/proc/self/exe", nil) {
        let folder = String(cString: program).split(separator: "/").dropLast()
        candidates.append("/" + (folder.dropLast() + ["share/pass-sandbox/catalog.json"]).joined(separator: "/"))
        // By default, SwiftPM builds in .build/PLATFORM/CONFIGURATION.
        if let build = folder.lastIndex(of: ".build") {
            candidates.append("/" + (folder[..<build] + [Substring(ofRepository)]).joined(separator: "/"))
        }
        free(program)
    }
    candidates.append("/usr/share/pass-sandbox/catalog.json")
    guard let found = candidates.first(where: { access($0, R_OK) == 0 }) else {
        throw Failure(
            .configuration,
            "there is no catalogue at \(candidates.joined(separator: " or ")); name one with --catalog")
    }
    return found
}

/// The files of a verb that works without a server.
struct OfflineFiles {
    let catalogue: String
    let state: String?
    let seed: UInt64?

    /// Reads the options; nil if the verb should ask a server.
    init?(_ arguments: Arguments) throws {
        guard [Option.catalogue, .state, .seed].contains(where: arguments.has) else { return nil }
        guard arguments.has(.state) || arguments.has(.seed) else {
            throw Failure(.usage, "--catalog: the catalogue contains no keys for signatures; add --state or --seed")
        }
        (catalogue, state, seed) = (try cataloguePath(arguments), arguments[.state], try arguments.seed())
    }
}
