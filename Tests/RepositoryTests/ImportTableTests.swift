// Tests that the map of the project has the dependencies of Package.swift, and that the sandbox and the client side
// share no code that reads the contract. They share only C libraries and JSON, because a text format says nothing about
// the contract. The build checks that targets import nothing else (--explicit-target-dependency-import-check).

import FoundationEssentials
import PassTestTools
import Testing

private let repository = String(#filePath.dropLast("Tests/RepositoryTests/ImportTableTests.swift".count))

@Suite struct ImportTableTests {
    /// The dependencies of each target in the sources.
    private func table() throws -> [String: Set<String>] {
        let package = try package.get()
        #expect(package.targets.count > 20 && package.dependencies.isEmpty, "no package from outside")
        return Dictionary(
            uniqueKeysWithValues: package.targets.filter { $0.type != "test" }.map {
                ($0.name, Set($0.target_dependencies ?? []))
            })
    }

    @Test func `the sandbox and the client side do not depend on each other`() throws {
        let table = try table()
        func reached(from start: String) -> Set<String> {
            (table[start] ?? []).reduce(into: [start]) { $0.formUnion(reached(from: $1)) }
        }
        let sandbox = reached(from: "pass-sandbox")
        for program in ["passd", "passd-cli", "PassTestKit"] {
            // A text format and a command line do not interpret the contract.
            let common = sandbox.intersection(reached(from: program)).subtracting(["PassArguments", "PassJSON"])
            #expect(common.allSatisfy { $0.hasPrefix("C") }, "\(program) shares \(common) with the sandbox")
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
        #expect(try rows == table())
    }

    @Test func `every folder of sources belongs to a target`() throws {
        // The system test consists of scripts. The attackers have packages and programs of their own. The Makefile
        // builds passd-web, which is a program in C. Client libraries of earlier releases are in Tests/Frozen.
        let others =
            ["System", "Clients", "Containers", "Hostile", "Web", "Frozen"].map { "Tests/" + $0 } + [
                "Sources/passd-web"
            ]
        let paths = Set(try package.get().targets.map(\.path) + others)
        for root in ["Sources", "Sources/CLibraries", "Tests"] {
            for entry in try FileManager.default.contentsOfDirectory(atPath: repository + root)
            where !entry.hasPrefix(".") && entry != "CLibraries" {
                #expect(paths.contains("\(root)/\(entry)"))
            }
        }
    }
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

/// The package as SwiftPM describes it. This uses another scratch folder, because the current test run may have locked
/// the usual one.
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
