// Signs statements and service tokens without a running server. A server accepts them if it has the same catalogue, and the
// same state or seed.

import FoundationEssentials
import Glibc

/// The error for a name that is not in the catalogue.
public struct UnknownNameError: Error, CustomStringConvertible, Sendable {
    public let description: String

    fileprivate init(_ kind: String, _ name: String, _ catalogue: String, known: [String]) {
        description =
            "there is no \(kind) \"\(name)\" in \(catalogue); known \(kind)s: \(known.joined(separator: ", "))"
    }
}

public enum OfflineSandbox {
    public static func statement(app name: String, catalogue: String, state: String?, seed: UInt64?) throws -> String {
        let loaded = try Catalogue.load(catalogue)
        guard let app = loaded.app(name) else {
            throw UnknownNameError("app", name, catalogue, known: loaded.apps.map(\.id))
        }
        var world = try world(loaded, file: state, seed: seed)
        return world.softwareStatement(for: app, at: world.now)
    }

    public static func serviceToken(
        subscriber: String, catalogue: String, state: String?, seed: UInt64?
    ) throws -> String {
        let loaded = try Catalogue.load(catalogue)
        guard loaded.users.contains(subscriber) else {
            throw UnknownNameError("subscriber", subscriber, catalogue, known: loaded.users)
        }
        var world = try world(loaded, file: state, seed: seed)
        return world.makeServiceToken(for: subscriber, at: world.now).text
    }

    /// Makes a world from the files. A state file with content is only read, because another process may have it open. A
    /// missing or empty file is created, so that a later server has the same keys.
    private static func world(_ catalogue: Catalogue, file: String?, seed: UInt64?) throws -> World {
        var state = State(random: seed.map(SeededRandom.init(number:)) ?? .fromKernel(), catalogue)
        if let file {
            var about = stat()
            if stat(file, &about) == 0, about.st_size > 0 {
                try StateFile.peek(path: file, into: &state)
            } else {
                _ = try StateFile(path: file, state: &state)
            }
        }
        // Signing draws random numbers. They must differ from the server's random numbers, so they come from the kernel.
        state.random = SeededRandom.fromKernel()
        return World(catalogue: catalogue, origin: "", state: state, dice: .fromKernel())
    }
}
