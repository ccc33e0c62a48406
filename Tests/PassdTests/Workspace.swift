// A file system of a test's own, with an environment in which two users, two groups and any statement exist.

import FoundationEssentials
import Glibc
import PassTestKit

@testable import PassConfiguration
@testable import PassPlatform
@testable import PassServer
@testable import passd

final class Workspace {
    private let directory: TemporaryDirectory
    var root: String { directory.path }
    var environment = Workspace.environment
    var overrides: [SettingOverride] = []

    static let statement = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJ4In0.c2ln"

    static let environment = StanzaResources(
        user: { ["kodi": 1000, "passd": 990][$0] }, group: { ["video": 44, "passd": 990][$0] }, groups: { _ in [] },
        statement: { _ in .success(Array(statement.utf8)) })

    init() throws { directory = try TemporaryDirectory() }

    deinit {
        // The directory itself only knows files.
        for entry in (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? [] {
            try? FileManager.default.removeItem(atPath: root + "/" + entry)
        }
    }

    func write(_ path: String, _ text: String) throws { try write(path, bytes: Array(text.utf8)) }

    func write(_ path: String, bytes: [UInt8]) throws {
        try makeDirectory(path.split(separator: "/").dropLast().joined(separator: "/"))
        try Data(bytes).write(to: URL(filePath: file(path)))
    }

    func makeDirectory(_ path: String) throws {
        try FileManager.default.createDirectory(atPath: file(path), withIntermediateDirectories: true)
    }

    func link(_ path: String, to target: String) throws {
        try makeDirectory(path.split(separator: "/").dropLast().joined(separator: "/"))
        try FileManager.default.createSymbolicLink(atPath: file(path), withDestinationPath: target)
    }

    func file(_ path: String) -> String { root + (path.hasPrefix("/") ? path : "/" + path) }

    /// As the daemon loads it that is told nothing.
    func load() -> LoadedConfiguration {
        .load(.system(root: root), overrides: overrides, environment: environment)
    }

    /// By these flags; a file that they name is not looked for.
    func load(with options: Invocation.Options) -> LoadedConfiguration {
        .load(
            .system(root: root), assumptions: options.assumptions, overrides: options.overrides,
            environment: environment)
    }

    /// Of a daemon with this one file.
    func load(_ text: String) throws -> LoadedConfiguration {
        try write("etc/passd/passd.conf", text)
        return load()
    }

    /// Of a daemon with this file of apps.
    func load(apps text: String) throws -> LoadedConfiguration {
        try write("etc/passd/apps.d/test.conf", text)
        return load()
    }

    /// Without the directory, which is another one in every run.
    func problems(_ loaded: LoadedConfiguration) -> [String] {
        loaded.problems.map { String($0.description.dropFirst(root.count)) }
    }
}
