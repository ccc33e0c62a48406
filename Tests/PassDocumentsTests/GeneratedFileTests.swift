// Tests that the generated files are up to date.

import PassConfiguration
import Testing

@testable import PassDocuments

@Suite struct GeneratedFileTests {
    @Test(arguments: GeneratedFile.all.map(\.path)) func `a generated file matches the tables`(path: String) throws {
        let file = try #require(GeneratedFile.all.first { $0.path == path })
        #expect(try file.isCurrent(), "\(path) is out of date; run make generate")
    }

    @Test func `the default file has a text for every section and setting`() {
        for section in SettingTable.sections {
            #expect(DefaultFile.text(of: section).hasSuffix("."), "[\(section.name)]")
            for setting in section.settings { #expect(DefaultFile.text(of: setting).hasSuffix("."), "\(setting.name)") }
        }
    }
}
