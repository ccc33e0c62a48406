// Options that several verbs share, and how their text becomes a value.

import Glibc

func seed(_ arguments: Arguments) throws(Failure) -> UInt64? {
    guard let text = arguments[.seed] else { return nil }
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt64(text) else {
        throw Failure(.usage, "--seed \(text): should be a whole number from 0 to \(UInt64.max)")
    }
    return number
}

/// The path of `--catalog`, else the repository's catalogue if the working directory or the program is in it, else the
/// installed one: first next to the program's folder, then where packages install it.
func cataloguePath(_ arguments: Arguments) throws(Failure) -> String {
    if let path = arguments[.catalogue] { return path }
    let ofRepository = "Config/sandbox/catalog.json"
    var candidates = [ofRepository]
    if let program = realpath("/proc/self/exe", nil) {
        let folder = String(cString: program).split(separator: "/").dropLast()
        candidates.append("/" + (folder.dropLast() + ["share/pass-sandbox/catalog.json"]).joined(separator: "/"))
        // SwiftPM builds in .build/PLATFORM/CONFIGURATION, unless it is told otherwise.
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

/// The files to use if the verb is to work without a server; nil if it is to ask one.
func offline(_ arguments: Arguments) throws(Failure) -> (catalogue: String, state: String?, seed: UInt64?)? {
    let files = [Option.catalogue, .state, .seed].filter(arguments.has)
    guard let first = files.first else { return nil }
    guard !arguments.has(.server) else {
        throw Failure(.usage, "--server and \(first.name) cannot be combined: ask a server, or use its files")
    }
    guard arguments.has(.state) || arguments.has(.seed) else {
        throw Failure(.usage, "with --catalog alone, no server would know the keys; add --state or --seed")
    }
    let number = try seed(arguments)
    return (try cataloguePath(arguments), arguments[.state], number)
}
