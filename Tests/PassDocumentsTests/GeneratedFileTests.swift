// Tests that the generated files are up to date.

import PassDocuments
import Testing

@Suite struct GeneratedFileTests {
    @Test(arguments: GeneratedFile.all.map(\.path)) func `a generated file matches the tables`(path: String) throws {
        let file = try #require(GeneratedFile.all.first { $0.path == path })
        #expect(try file.isCurrent(), "\(path) is out of date; run make generate")
    }
}
