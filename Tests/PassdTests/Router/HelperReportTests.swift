// Tests the operator's reports about the platform helper. operations.md §3, docs/platform-helper.md.

import AccessEnabler
import PassJSON
import PassProtocol
import PassTestKit
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

/// Part of a serialized suite: a script that is still being written cannot be run while another test starts a program.
extension TokenScriptTests {
    @Suite struct HelperReportTests: OnPlatformStage {
        let stage: PlatformStage

        init() throws { stage = try PlatformStage() }

        @Test(arguments: [
            (PlatformStage.hello + "; read -r a", "pass", "box 2 answers."),
            ("exit 7", "fail", "The platform helper failed: it exited with status 7."),
        ]) func `an examination of the box says whether the helper answers`(
            lines: String, outcome: String, message: String
        ) async throws {
            let helper = self.helper(bare: lines)
            let household = try await Household(helper: helper)
            let checks = try await household.connect(.admin).call("passd.doctor")["checks"]?.array ?? []
            let check = try #require(checks.first { $0["name"] == "platform-helper" })
            #expect(check["outcome"]?.string == outcome && check["message"]?.string == message)
            #expect((check["remedy"] == nil) == (outcome == "pass"))
            await helper.stop()
        }
    }
}
