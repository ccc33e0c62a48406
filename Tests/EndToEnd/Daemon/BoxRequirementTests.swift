// Tests that doctor names a library of the box that is missing or too old.

import PassJSON
import PassTestKit
import PassTestTools
import Testing

@Suite("docs/installing.md: what the box must have") struct BoxRequirementTests {
    /// The line `box` of doctor on a box with these libraries. The loader finds them before the
    /// system's libraries.
    private func box(_ box: RunningBox, _ libraries: TemporaryDirectory) throws -> (outcome: String, message: String) {
        let ending = try ChildProcess.run(
            [RunningBox.builds + "passd-cli", "doctor", "--offline", "--json"],
            environment: [
                "PASSD_SOCKET": box.socket, "PASSD_ADMIN_SOCKET": box.adminSocket, "LD_LIBRARY_PATH": libraries.path,
            ])
        let answer = try JSONReader.read(Array(ending.output.utf8))
        let line = answer["data"]?["checks"]?.array?.first { $0["name"] == "box" }
        #expect(line?["outcome"] != "fail" || ending.status == 1)
        return (line?["outcome"]?.string ?? "", line?["message"]?.string ?? "")
    }

    @Test func `a library that is missing or too old is named`() throws {
        let running = try RunningBox()
        let libraries = TemporaryDirectory()
        let good = try box(running, libraries)
        #expect(good.outcome == "pass" && good.message.hasSuffix("."), "\(good)")
        for (version, isOld) in [("7.84.0", true), ("7.85.0", false), ("8.0.1", false)] {
            let source = "const char *curl_version(void) { return \"libcurl/\(version) OpenSSL/3.0.2\"; }\n"
            try ChildProcess.run(
                ["cc", "-shared", "-fPIC", "-x", "c", "-o", libraries.file("libcurl.so.4"), "-"], input: source
            ).requireSuccess()
            let found = try box(running, libraries)
            #expect(found.outcome == (isOld ? "fail" : "pass"), "\(version): \(found)")
            #expect(found.message.hasSuffix(", but not libcurl 7.85.") == isOld, "\(version): \(found)")
        }
        libraries.write("this is no library", to: "libcurl.so.4")
        libraries.write("this is no library", to: "libqrencode.so.4")
        let bad = try box(running, libraries)
        #expect(bad.outcome == "fail", "\(bad)")
        #expect(bad.message.hasSuffix(", but not libcurl.so.4, libqrencode.so.4."), "\(bad)")
    }
}
