// A file system for one test, with resources in which two users, two groups and any statement exist.

import FoundationEssentials
import Glibc
import PassTestKit
import PassTestTools

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

final class Workspace {
    private let directory = TemporaryDirectory()
    var root: String { directory.path }
    var resources = Workspace.resources
    var overrides: [SettingOverride] = []

    static let statement = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJ4In0.c2ln"

    static let resources = StanzaResources(
        user: { ["kodi": 1000, "passd": 990][$0] }, group: { ["video": 44, "passd": 990][$0] }, groups: { _ in [] },
        readStatement: { _ in .success(Array(statement.utf8)) })

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

    /// Loads the configuration like a daemon without flags.
    func load() -> LoadedConfiguration {
        .load(.system(root: root), overrides: overrides, resources: resources)
    }

    /// Loads the configuration with these flags, but without the file that `--config` names.
    func load(with options: Invocation.Options) -> LoadedConfiguration {
        .load(
            .system(root: root), assumptions: options.assumptions, overrides: options.overrides,
            resources: resources)
    }

    /// Loads this text as the only file of settings.
    func load(_ text: String) throws -> LoadedConfiguration {
        try write("etc/passd/passd.conf", text)
        return load()
    }

    /// Loads this text as the file of apps.
    func load(apps text: String) throws -> LoadedConfiguration {
        try write("etc/passd/apps.d/test.conf", text)
        return load()
    }

    /// The problems without the directory's name, which differs in every run.
    func problems(_ loaded: LoadedConfiguration) -> [String] {
        loaded.problems.map { String($0.description.dropFirst(root.count)) }
    }
}
