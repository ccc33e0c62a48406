// Tests the manual pages as man reads them.

import FoundationEssentials
import PassTestTools
import Testing

@Suite struct ManPageTests {
    private static let pages = (try? FileManager.default.contentsOfDirectory(atPath: repository + "docs/man")) ?? []

    @Test func `there is a page for each program, its configuration and its socket`() {
        #expect(
            Self.pages.sorted() == [
                "pass-sandbox.1", "passd-cli.1", "passd-setup.8", "passd-web.8", "passd.7", "passd.8", "passd.conf.5",
            ])
    }

    @Test(arguments: pages)
    func `a page is read without a warning`(page: String) throws {
        let ending = try ChildProcess.run(
            ["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", "docs/man/\(page)"], folder: repository,
            environment: ["LC_ALL": "C.UTF-8", "MANROFFSEQ": "", "MANWIDTH": "80"])
        #expect(ending.status == 0 && ending.errors.isEmpty, "\(ending.errors)")
        #expect(!ending.output.isEmpty)
    }
}
