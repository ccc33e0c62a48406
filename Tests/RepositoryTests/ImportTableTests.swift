// Tests the imports of each target. The table is written down a second time here, so that extending it is a conscious
// decision.

import FoundationEssentials
import Glibc
import PassTestTools
import Testing

private let repository = String(#filePath.dropLast("Tests/RepositoryTests/ImportTableTests.swift".count))

/// Modules of the toolchain. Foundation is not among them: its essentials would make the daemon a third larger.
private let toolchain: Set = ["Dispatch", "Glibc", "Synchronization"]
/// What is not on every box may use the essentials, but never the rest, which would link ICU and URLSession.
private let spacious: Set = toolchain.union(["FoundationEssentials"])
private let spaciousTargets: Set = ["PassSandbox", "pass-sandbox", "PassTestKit"]
private let testing: Set = spacious.union(["Testing"])

/// The targets and libraries that each target may import, lowest first. The sandbox and the client side do not know
/// each other, so that no misreading of the contract is made twice.
private let table: [String: Set<String>] = [
    "CMicroHTTPD": [], "CCrypto": [], "CCurl": [], "CSQLite": [], "CQREncode": [],
    "CLinux": [], "CDatagram": [], "CChild": [],

    "PassSandbox": ["CMicroHTTPD", "CCrypto"],
    "pass-sandbox": ["PassSandbox", "CCurl", "CChild"],

    "PassJSON": [],
    "PassProtocol": ["PassJSON"],
    "PassQR": ["PassProtocol", "CQREncode"],
    "PassThreads": ["CLinux"],
    "PassWire": ["PassJSON", "PassProtocol", "PassThreads", "CLinux"],
    "AccessEnabler": ["PassJSON", "PassProtocol"],
    "PassBackend": ["PassJSON", "PassThreads", "AccessEnabler", "CCurl"],
    "PassVault": ["PassJSON", "PassThreads", "AccessEnabler", "CSQLite", "CCrypto"],
    "PassSystem": ["PassJSON", "PassThreads", "CLinux", "CDatagram", "CCrypto"],
    "PassClient": ["PassJSON", "PassProtocol", "PassWire"],
    "PassConfiguration": ["PassJSON", "PassProtocol", "AccessEnabler", "PassBackend", "PassVault", "PassSystem"],
    "PassPlatform": [
        "PassJSON", "PassProtocol", "PassWire", "AccessEnabler", "PassBackend", "PassSystem", "CCrypto",
    ],
    "PassServer": [
        "PassJSON", "PassProtocol", "PassThreads", "PassWire", "AccessEnabler", "PassSystem", "PassConfiguration",
        "CCrypto",
    ],
    "passd": [
        "PassJSON", "PassProtocol", "PassWire", "AccessEnabler", "PassBackend", "PassVault", "PassSystem",
        "PassConfiguration", "PassPlatform", "PassServer", "PassQR",
    ],
    "passd-cli": ["PassClient", "PassJSON", "PassProtocol", "PassQR"],
    "passclient-driver": ["PassClient", "PassJSON", "PassProtocol", "PassWire"],
    "PassTestTools": [],
    "PassTestKit": ["AccessEnabler", "PassJSON", "PassProtocol", "PassWire"],

    "PassSandboxTests": ["PassSandbox", "CCrypto", "PassTestTools"],
    "PassJSONTests": ["PassJSON"],
    "PassProtocolTests": ["PassJSON", "PassProtocol", "PassTestKit"],
    "PassQRTests": ["PassJSON", "PassProtocol", "PassQR", "PassTestTools"],
    "PassWireTests": ["PassJSON", "PassProtocol", "PassWire", "PassTestKit", "PassTestTools"],
    "AccessEnablerTests": ["PassJSON", "PassProtocol", "AccessEnabler", "PassTestKit", "PassTestTools"],
    "PassBackendTests": ["PassJSON", "AccessEnabler", "PassBackend", "PassTestKit", "PassTestTools"],
    "PassVaultTests": ["AccessEnabler", "PassVault", "CSQLite", "PassTestTools"],
    "PassSystemTests": ["PassThreads", "PassSystem", "CLinux", "PassTestTools"],
    "PassClientTests": ["PassJSON", "PassProtocol", "PassWire", "PassClient", "PassTestKit", "PassTestTools"],
    "PassdTests": [
        "passd", "passd-cli", "PassJSON", "PassProtocol", "PassWire", "AccessEnabler", "PassBackend", "PassSystem",
        "PassConfiguration", "PassPlatform", "PassServer", "PassTestKit", "CCrypto", "PassTestTools",
    ],
    "PassdCLITests": [
        "passd-cli", "PassClient", "PassJSON", "PassProtocol", "PassQR", "PassWire", "PassTestKit", "PassTestTools",
    ],
    // The two backends for their traits alone: where journeys may differ.
    "EndToEndTests": [
        "PassSandbox", "pass-sandbox", "passd", "passd-cli", "AccessEnabler", "PassBackend", "PassJSON", "PassProtocol",
        "PassWire", "PassTestKit", "PassTestTools",
    ],
    "RepositoryTests": ["PassTestTools"],
]

@Suite struct ImportTableTests {
    @Test func `the table is the package's own`() throws {
        let package = try describedPackage()
        #expect(package.targets.count >= 6)
        for target in package.targets {
            let allowed = try #require(table[target.name], "the table does not know the target \(target.name)")
            #expect(Set(target.target_dependencies ?? []) == allowed, "\(target.name)")
        }
        #expect(table.count == package.targets.count, "the table knows a target that the package does not have")
        #expect(package.dependencies.isEmpty, "no package from outside")
    }

    @Test func `the sources import nothing that the table does not have`() throws {
        for target in try describedPackage().targets where target.type != "system-target" {
            let libraries =
                target.type == "test" || target.name == "PassTestTools"
                ? testing : spaciousTargets.contains(target.name) ? spacious : toolchain
            let allowed = Set((table[target.name] ?? []).map(Self.module)).union(libraries)
            for (file, module) in try imports(in: repository + target.path) {
                #expect(allowed.contains(module), "\(file) imports \(module), which is not \(target.name)'s to import")
            }
        }
    }

    @Test func `every folder of sources belongs to a target`() throws {
        // The system test consists of scripts; the attackers have packages and programs of their own. passd-web is a program
        // in C, which the Makefile builds.
        let others = ["Tests/System", "Tests/Clients", "Tests/Hostile", "Sources/passd-web", "Tests/Web"]
        let paths = Set(try describedPackage().targets.map(\.path) + others)
        for root in ["Sources", "Sources/CLibraries", "Tests"] {
            for entry in try FileManager.default.contentsOfDirectory(atPath: repository + root)
            where !entry.hasPrefix(".") && entry != "CLibraries" {
                #expect(paths.contains("\(root)/\(entry)"))
            }
        }
    }

    @Test func `the table imports only downwards`() {
        // Following the imports from any row never leads back to it.
        for start in table.keys {
            var reached: Set<String> = []
            var open = Array(table[start] ?? [])
            while let next = open.popLast() {
                if reached.insert(next).inserted { open += table[next] ?? [] }
            }
            #expect(!reached.contains(start))
        }
        let clientSide: Set = [
            "PassJSON", "PassProtocol", "PassWire", "AccessEnabler", "PassBackend", "PassVault", "PassSystem",
            "PassClient",
            "PassConfiguration", "PassPlatform", "PassServer", "PassTestKit",
        ]
        for sandbox in ["PassSandbox", "pass-sandbox", "PassSandboxTests"] {
            #expect(table[sandbox]?.isDisjoint(with: clientSide) == true)
        }
        for (target, imports) in table where clientSide.contains(target) || target.hasPrefix("passd") {
            #expect(imports.isDisjoint(with: ["PassSandbox", "pass-sandbox"]))
        }
    }

    /// docs/architecture.md §2: the target in the first column may import what the last column lists.
    @Test func `the map of the project has the same table`() throws {
        let text = try String(contentsOfFile: repository + "docs/architecture.md", encoding: .utf8)
        var rows: [String: Set<String>] = [:]
        for line in text.split(separator: "\n").drop(while: { !$0.hasPrefix("## 2. ") })
            .prefix(while: { !$0.hasPrefix("The rooms of the engine") }) where line.hasPrefix("| `")
        {
            let cells = line.split(separator: "|").map { cell in
                cell.matches(of: /`([A-Za-z-]+)`/).map { String($0.1) }
            }
            for target in cells.first ?? [] { rows[target] = Set(cells.last ?? []) }
        }
        #expect(rows == table.filter { !$0.key.hasSuffix("Tests") })
    }

    private static func module(_ target: String) -> String { String(target.map { $0 == "-" ? "_" : $0 }) }

    private func imports(in folder: String) throws -> [(file: String, module: String)] {
        var found: [(String, String)] = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder) where path.hasSuffix(".swift") {
            let text = try String(contentsOfFile: folder + "/" + path, encoding: .utf8)
            for module in Self.importedModules(text) { found.append((path, module)) }
        }
        return found
    }

    @Test(arguments: [
        "import Foo", "  import\tFoo", "@testable import Foo", "@_spi(A, B) import Foo", "/* c */ import Foo",
        "import /* c */ Foo", "import Bar; import Foo", "import\nFoo", "#if canImport(X)\nimport Foo\n#endif",
        "internal import Foo", "import struct Foo.Bar", "import Foo // why", "@_exported\nimport Foo",
    ]) func `an import is seen however it is written`(text: String) {
        #expect(Self.importedModules(text).last == "Foo")
    }

    @Test(arguments: [
        "// import Foo", "/* import Foo */", "let important = Foo()", "// a\n/* import\nFoo */",
        "let a = \" import Foo\"", "let a = \"\\\" import Foo\"", "let a = \"\"\"\n import Foo\n\"\"\"",
    ])
    func `what only looks like one is not`(text: String) { #expect(Self.importedModules(text).isEmpty) }

    /// The imported modules. Comments and strings are removed and the rest is read word by word, so that line breaks
    /// and attributes do not hide an import.
    private static func importedModules(_ text: String) -> [String] {
        var code = ""
        var rest = text[...]
        while let character = rest.first {
            if rest.hasPrefix("//") {
                rest = rest.drop { $0 != "\n" }
            } else if rest.hasPrefix("/*") {
                rest = rest.dropFirst(2)
                while !rest.isEmpty, !rest.hasPrefix("*/") { rest = rest.dropFirst() }
                rest = rest.dropFirst(2)
                code += " "
            } else if let end = ["\"\"\"", "#\"", "\""].first(where: rest.hasPrefix) {
                let closing = end == "#\"" ? "\"#" : end
                rest = rest.dropFirst(end.count)
                while !rest.isEmpty, !rest.hasPrefix(closing) {
                    rest = rest.dropFirst(closing == "\"" && rest.hasPrefix("\\") ? 2 : 1)
                }
                rest = rest.dropFirst(closing.count)
                code += " \"\" "
            } else {
                code.append(character)
                rest = rest.dropFirst()
            }
        }
        let words = code.split { $0.isWhitespace || $0 == ";" || $0 == "(" || $0 == ")" || $0 == "," }
        var modules: [String] = []
        for (index, word) in words.enumerated() where word == "import" {
            var place = index + 1
            if place < words.count, kinds.contains(String(words[place])) { place += 1 }
            guard place < words.count, words[place].first?.isUppercase == true else { continue }
            modules.append(String(words[place].prefix { $0 != "." }))
        }
        return modules
    }

    private static let kinds: Set = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
}

private struct Package: Decodable {
    struct Target: Decodable {
        let name: String
        let type: String
        let path: String
        // SwiftPM defines these names.
        // swift-format-ignore: AlwaysUseLowerCamelCase
        let target_dependencies: [String]?
    }

    struct Dependency: Decodable {}

    let targets: [Target]
    let dependencies: [Dependency]
}

/// The package as SwiftPM describes it. It uses a scratch folder, since the usual one may be locked by the run that
/// this test is part of.
private func describedPackage() throws -> Package { try package.get() }

private let package = Result<Package, any Error> {
    let scratch = TemporaryDirectory()
    let described = try ChildProcess.run(
        [
            "swift", "package", "--package-path", repository, "--scratch-path", scratch.path, "describe", "--type",
            "json",
        ])
    // SwiftPM leaves a lock beside the scratch directory.
    let name = scratch.path.split(separator: "/").last.map(String.init) ?? ""
    try? FileManager.default.removeItem(atPath: "/tmp/_tmp_\(name).lock")
    guard described.status == 0 else { throw TestFailure(described.errors) }
    return try JSONDecoder().decode(Package.self, from: Data(described.output.utf8))
}
