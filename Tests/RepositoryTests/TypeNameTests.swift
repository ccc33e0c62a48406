// Tests that a type's name is used by one target only, except for those listed here with a reason.

import FoundationEssentials
import Testing

private let repository = String(#filePath.dropLast("Tests/RepositoryTests/TypeNameTests.swift".count))

/// The sandbox shares no code with the client side, so that no misreading is made twice. It has its own types for what
/// both read about in the contract, and for what every server and every program has.
private let sandboxSide: Set = ["PassSandbox", "pass-sandbox"]

/// Names that two targets of the client side share, and why.
private let explained: [String: String] = [
    "Invocation": "passd and passd-cli have a command line each, and share nothing of it"
]

@Suite struct TypeNameTests {
    @Test func `no type name is in two targets`() throws {
        let targets = try declaredTypes()
        #expect(targets.count > 300)
        for (name, targets) in targets {
            let clientSide = targets.subtracting(sandboxSide)
            guard clientSide.count > 1 else { continue }
            #expect(explained[name] != nil, "\(name) is in \(clientSide.sorted().joined(separator: " and "))")
        }
    }

    @Test func `every name of the list is in two targets still`() throws {
        let targets = try declaredTypes()
        for name in explained.keys { #expect((targets[name] ?? []).subtracting(sandboxSide).count > 1, "\(name)") }
    }

    /// For each name, the targets that declare it at the top level of a file, where other files can see it.
    private func declaredTypes() throws -> [String: Set<String>] {
        var found: [String: Set<String>] = [:]
        let sources = repository + "Sources"
        for path in try FileManager.default.subpathsOfDirectory(atPath: sources) where path.hasSuffix(".swift") {
            guard let target = path.split(separator: "/").first else { continue }
            for line in try String(contentsOfFile: sources + "/" + path, encoding: .utf8).split(separator: "\n") {
                if let name = declaredType(String(line)) { found[name, default: []].insert(String(target)) }
            }
        }
        return found
    }

    private func declaredType(_ line: String) -> String? {
        guard !line.hasPrefix(" ") else { return nil }
        let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
        let kinds: Set = ["struct", "class", "enum", "protocol", "actor", "typealias"]
        guard let kind = words.firstIndex(where: kinds.contains), kind + 1 < words.count else { return nil }
        let modifiers: Set = [
            "public", "package", "final", "indirect", "nonisolated", "EngineActor", "MainActor", "unchecked",
        ]
        return words[..<kind].allSatisfy(modifiers.contains) ? words[kind + 1] : nil
    }
}
