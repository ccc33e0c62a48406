// Tests that all parts of a release have one version. The sandbox does not import the client side, so it declares the
// version itself.

import FoundationEssentials
import Testing

private let repository = String(#filePath.dropLast("Tests/RepositoryTests/VersionTests.swift".count))

@Suite struct VersionTests {
    @Test func `programs, packages, pages and the change log have the same version`() throws {
        let version = try #require(try quoted(in: "Sources/PassProtocol/Version.swift", after: "static let text = "))
        #expect(version.split(separator: ".").count == 3)
        #expect(try quoted(in: "Sources/pass-sandbox/CommandLine/Verb.swift", after: "let version = ") == version)
        #expect(try text(of: "debian/changelog").hasPrefix("passd (\(version)) "))
        for page in try FileManager.default.contentsOfDirectory(atPath: repository + "docs/man") {
            #expect(try text(of: "docs/man/" + page).contains("\"passd \(version)\""), "\(page)")
        }
        #expect(try text(of: "CHANGELOG.md").contains("\(version)"))
        #expect(try text(of: "docs/installing.md").contains("passd_\(version)_amd64.deb"))
    }

    @Test func `no other source declares a version`() throws {
        let version = try #require(try quoted(in: "Sources/PassProtocol/Version.swift", after: "static let text = "))
        let sources = repository + "Sources"
        let paths = try FileManager.default.subpathsOfDirectory(atPath: sources).filter { $0.hasSuffix(".swift") }
        let holders = try paths.filter { try text(of: "Sources/" + $0).contains("\"\(version)\"") }
        #expect(holders.sorted() == ["PassProtocol/Version.swift", "pass-sandbox/CommandLine/Verb.swift"])
    }

    private func text(of path: String) throws -> String {
        try String(contentsOfFile: repository + path, encoding: .utf8)
    }

    private func quoted(in path: String, after mark: String) throws -> String? {
        let text = try text(of: path)
        guard let start = text.firstRange(of: mark + "\"")?.upperBound, let end = text[start...].firstIndex(of: "\"")
        else {
            return nil
        }
        return String(text[start..<end])
    }
}
