// What the sandbox signs, without a running server: statements and service tokens made from the same catalogue,
// state or seed that a server uses, and therefore accepted by it.

import FoundationEssentials
import Glibc

/// A name that the catalogue does not know.
public struct UnknownNameError: Error, CustomStringConvertible, Sendable {
    public let description: String
}

public enum OfflineSandbox {
    public static func statement(app name: String, catalogue: String, state: String?, seed: UInt64?) throws -> String {
        let loaded = try Catalogue.load(catalogue)
        guard let app = loaded.app(name) else {
            let known = loaded.apps.map(\.id).joined(separator: ", ")
            throw UnknownNameError(description: "there is no app \"\(name)\" in \(catalogue); known apps: \(known)")
        }
        var (world, now) = try world(loaded, file: state, seed: seed)
        return world.softwareStatement(for: app, at: now)
    }

    public static func serviceToken(
        subscriber: String, catalogue: String, state: String?, seed: UInt64?
    ) throws -> String {
        let loaded = try Catalogue.load(catalogue)
        let known = loaded.providers.flatMap(\.subscribers).map(\.user)
        guard known.contains(subscriber) else {
            throw UnknownNameError(
                description: "there is no subscriber \"\(subscriber)\" in \(catalogue); known subscribers: "
                    + known.joined(separator: ", "))
        }
        var (world, now) = try world(loaded, file: state, seed: seed)
        return world.makeServiceToken(for: subscriber, at: now).text
    }

    /// A state file that another process holds open is only read; one that does not exist yet is made, so that the
    /// server that will use it has the same keys.
    private static func world(
        _ catalogue: Catalogue, file: String?, seed: UInt64?
    ) throws -> (World, Instant) {
        var state = State(random: seed.map(SeededRandom.init(number:)) ?? .fromKernel())
        for rule in catalogue.degradations { state.degradations[rule.name] = rule }
        if let file {
            var about = stat()
            if stat(file, &about) == 0, about.st_size > 0 {
                try StateFile.peek(path: file, into: &state)
            } else {
                _ = try StateFile(path: file, state: &state)
            }
        }
        let now = SandboxClock.system() &+ state.singles.clockOffset
        // What is dealt here is none of what the server deals.
        state.random = SeededRandom.fromKernel()
        return (World(catalogue: catalogue, origin: "", state: state), now)
    }
}
