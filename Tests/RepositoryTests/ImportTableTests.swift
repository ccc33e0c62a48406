// The import table of the project: what each part may know of the others. It stands here before some of the parts
// do, so that the rule is older than the code.

import FoundationEssentials
import Glibc
import Testing

private let repository = String(#filePath.dropLast("Tests/RepositoryTests/ImportTableTests.swift".count))

/// Of the toolchain: no Foundation beyond its essentials, so that a static link leaves ICU and URLSession out.
private let toolchain: Set = ["Dispatch", "FoundationEssentials", "Glibc", "Synchronization"]
private let testing: Set = toolchain.union(["Testing"])

/// Target by target, lowest first: the targets and libraries it may import. The sandbox and the client side know
/// nothing of each other, so that a misreading of the contract is not made twice.
private let table: [String: Set<String>] = [
    "CMicroHTTPD": [], "CCrypto": [], "CCurl": [], "CSystemd": [], "CSQLite": [], "CQREncode": [],

    "PassSandbox": ["CMicroHTTPD", "CCrypto"],
    "pass-sandbox": ["PassSandbox", "CCurl"],

    "PassProtocol": [],
    "PassWire": ["PassProtocol"],
    "AccessEnabler": ["PassProtocol"],
    "PassBackend": ["AccessEnabler", "CCurl"],
    "PassVault": ["AccessEnabler", "CSQLite", "CCrypto"],
    "PassSystem": ["CSystemd"],
    "PassClient": ["PassProtocol", "PassWire"],
    "passd": [
        "PassProtocol", "PassWire", "AccessEnabler", "PassBackend", "PassVault", "PassSystem", "PassClient",
    ],
    "passd-cli": ["PassClient", "CQREncode"],
    "PassTestKit": ["AccessEnabler", "PassWire"],

    "PassSandboxTests": ["PassSandbox", "CCrypto"],
    "PassProtocolTests": ["PassProtocol"],
    "PassWireTests": ["PassProtocol", "PassWire", "PassTestKit"],
    "AccessEnablerTests": ["PassProtocol", "AccessEnabler", "PassTestKit"],
    "PassBackendTests": ["AccessEnabler", "PassBackend", "PassTestKit"],
    "PassVaultTests": ["AccessEnabler", "PassVault", "PassTestKit", "CSQLite"],
    "PassSystemTests": ["PassSystem"],
    "EndToEndTests": ["PassSandbox", "pass-sandbox"],
    "RepositoryTests": [],
]

@Suite struct ImportTableTests {
    @Test func `the package declares no dependency that the table does not have`() throws {
        let package = try describedPackage()
        #expect(package.targets.count >= 6)
        for target in package.targets {
            let allowed = try #require(table[target.name], "the table does not know the target \(target.name)")
            for dependency in target.target_dependencies ?? [] {
                #expect(allowed.contains(dependency), "\(target.name) may not depend on \(dependency)")
            }
        }
        #expect(package.dependencies.isEmpty, "no package from outside")
    }

    @Test func `the sources import nothing that the table does not have`() throws {
        for target in try describedPackage().targets where target.type != "system-target" {
            let libraries = target.type == "test" ? testing : toolchain
            let allowed = Set((table[target.name] ?? []).map(Self.module)).union(libraries)
            for (file, module) in try imports(in: repository + target.path) {
                #expect(allowed.contains(module), "\(file) imports \(module), which is not \(target.name)'s to import")
            }
        }
    }

    @Test func `every folder of sources belongs to a target`() throws {
        let paths = Set(try describedPackage().targets.map(\.path))
        for root in ["Sources", "Sources/CLibraries", "Tests"] {
            for entry in try FileManager.default.contentsOfDirectory(atPath: repository + root)
            where !entry.hasPrefix(".") && entry != "CLibraries" {
                #expect(paths.contains("\(root)/\(entry)"))
            }
        }
    }

    @Test func `the table imports only downwards`() {
        // Following the imports from any row never comes back to it.
        for start in table.keys {
            var reached: Set<String> = []
            var open = Array(table[start] ?? [])
            while let next = open.popLast() {
                if reached.insert(next).inserted { open += table[next] ?? [] }
            }
            #expect(!reached.contains(start))
        }
        let clientSide: Set = ["PassProtocol", "PassWire", "AccessEnabler", "PassBackend", "PassVault", "PassClient"]
        for sandbox in ["PassSandbox", "pass-sandbox"] { #expect(table[sandbox]?.isDisjoint(with: clientSide) == true) }
        for (target, imports) in table where clientSide.contains(target) || target.hasPrefix("passd") {
            #expect(imports.isDisjoint(with: ["PassSandbox", "pass-sandbox"]))
        }
    }

    private static func module(_ target: String) -> String { String(target.map { $0 == "-" ? "_" : $0 }) }

    private func imports(in folder: String) throws -> [(file: String, module: String)] {
        var found: [(String, String)] = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder) where path.hasSuffix(".swift") {
            let text = try String(contentsOfFile: folder + "/" + path, encoding: .utf8)
            for line in text.split(separator: "\n") {
                var words = line.split(separator: " ")[...]
                while let first = words.first, first.hasPrefix("@") || Self.modifiers.contains(String(first)) {
                    words = words.dropFirst()
                }
                guard words.first == "import", var module = words.dropFirst().first else { continue }
                if Self.kinds.contains(String(module)), let named = words.dropFirst(2).first { module = named }
                found.append((path, String(module.prefix { $0 != "." && $0 != ";" })))
            }
        }
        return found
    }

    private static let modifiers: Set = ["public", "package", "internal", "fileprivate", "private"]
    private static let kinds: Set = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
}

private struct Package: Decodable {
    struct Target: Decodable {
        let name: String
        let type: String
        let path: String
        // The names are SwiftPM's.
        // swift-format-ignore: AlwaysUseLowerCamelCase
        let target_dependencies: [String]?
    }

    struct Dependency: Decodable {}

    let targets: [Target]
    let dependencies: [Dependency]
}

/// As SwiftPM sees it, in a scratch folder: the usual one may be locked by the very run that this test is part of.
private func describedPackage() throws -> Package { try package.get() }

private let package = Result<Package, any Error> {
    var template = Array("/tmp/passd-package-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    let scratch = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    let command = "swift package --package-path '\(repository)' --scratch-path '\(scratch)' describe --type json"
    guard let stream = popen(command, "re") else { throw CommandError(command: command) }
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = fread(&buffer, 1, buffer.count, stream)
        if count == 0 { break }
        text += buffer[..<count]
    }
    guard pclose(stream) == 0 else { throw CommandError(command: command) }
    return try JSONDecoder().decode(Package.self, from: Data(text))
}

private struct CommandError: Error { let command: String }
