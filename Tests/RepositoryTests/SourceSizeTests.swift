// Tests the length of files. A file has one idea; one that exceeds three hundred lines has to be listed here with a
// reason.

import FoundationEssentials
import Testing

@Suite struct SourceSizeTests {
    private static let answered = [
        "Tests/PassSandboxTests/TempPassTests.swift": "both kinds of pass are held against one table of trials"
    ]

    @Test func `no source is over three hundred lines without a reason`() throws {
        let repository = String(#filePath.dropLast("Tests/RepositoryTests/SourceSizeTests.swift".count))
        for root in ["Sources", "Tests"] {
            for path in try FileManager.default.subpathsOfDirectory(atPath: repository + root)
            where path.hasSuffix(".swift") {
                let text = try String(contentsOfFile: "\(repository)\(root)/\(path)", encoding: .utf8)
                let lines = text.utf8.count { $0 == UInt8(ascii: "\n") }
                #expect(lines <= 300 || Self.answered["\(root)/\(path)"] != nil, "\(root)/\(path): \(lines) lines")
            }
        }
    }
}
