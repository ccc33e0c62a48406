// Tests helpers of all kinds for the box's TV account: their answers, and that a bad helper fails only the request.
// docs/platform-helper.md.

import Glibc
import PassTestKit
import PassTestTools
import Testing

@testable import AccessEnabler
@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

/// Part of a serialized suite: a script that is still being written cannot be run while another test starts a program.
extension TokenScriptTests {
    @Suite("access-enabler.md §17.2: the platform helper") struct PlatformHelperTests: OnPlatformStage {
        let stage: PlatformStage

        init() throws { stage = try PlatformStage() }

        @Test func `requests have the app's own name, and answers are matched by number`() async throws {
            let heard = directory.file("heard")
            let helper = self.helper(
                """
                read -r one; read -r two; printf '%s\\n' "$one" "$two" > \(heard)
                \(say(#"{"type":"result","id":2,"provider":"beacon-11","expires":1798156800000,"samlResponse":"<r/>"}"#))
                \(result(1, "denied"))
                read -r never
                """)
            async let permission = ask(helper)
            _ = try await clock.settings.wait(for: 2)
            let query = PlatformQuery(
                app: AppID(rawValue: "news24"), requestor: RequestorID(rawValue: "NEWS24"), mayInterrupt: false)
            let account = try await helper.account(query) { _ in }
            #expect(await permission == .success(.denied))
            #expect(account.providerID == "beacon-11" && account.samlResponse?.reveal() == "<r/>")
            #expect(account.expires == ServerTime(milliseconds: 1_798_156_800_000))
            let lines = text("heard").split(separator: "\n")
            #expect(lines.first == #"{"type":"permission","id":1,"app":"lumen-tv","mayPrompt":false}"#)
            #expect(lines.last?.hasPrefix(#"{"type":"account","id":2,"app":"news24","requestor":"NEWS24""#) == true)
            #expect(reasons.elements.isEmpty && notes.elements.isEmpty && clock.alarmCount == 0)
            await helper.stop()
        }

        @Test func `the first request starts the helper, once`() async {
            let runs = directory.file("runs")
            let helper = self.helper("echo run >> \(runs); \(result(1)) read -r a; read -r b; \(result(2)) read -r c")
            #expect(!exists("runs"))
            _ = await ask(helper)
            #expect(await ask(helper) == .success(.granted))
            #expect(text("runs") == "run\n")
            await helper.stop()
        }

        @Test(arguments: [
            ("read -r a; exit 3", "it exited with status 3"), ("read -r a; kill -KILL $$", "it was killed by signal 9"),
            ("read -r a; echo rubbish", "it printed a line that is not JSON"),
            ("yes '{\"type\":\"weather\"}'", "it printed too much without being asked"),
            ("head -c 70000 /dev/zero; read -r a", "it printed a line of more than 65536 bytes"),
            ("read -r a; echo '{\"type\":\"result\",\"id\":9}'", "it answered a question that was not asked"),
            (
                "read -r a; echo '{\"type\":\"presentDialog\",\"id\":9,\"handle\":\"h\"}'",
                "it answered a question that was not asked"
            ),
            (PlatformStage.hello, "it sent hello twice"),
            ("read -r a; printf '{\"type\":\"result\",\"id\":1,'", "it exited with status 0"),
            (
                "read -r a; echo '{\"type\":\"result\",\"id\":1,\"permission\":\"SECRET\"}'",
                "it reported an unknown permission"
            ),
        ]) func `a failure affects only its request, and has a name`(lines: String, reason: String) async {
            let helper = self.helper(lines.contains("hello\"") ? lines + "; read -r a" : lines)
            let outcome = await ask(helper)
            #expect(unavailable(outcome) == "The platform helper failed: \(reason).")
            #expect(reasons.elements == [reason])
            await helper.stop()
        }

        @Test(arguments: [
            ("read -r a; echo '{\"type\":\"result\",\"id\":1}'; read -r b", "it sent something before hello"),
            (
                "echo '{\"type\":\"hello\",\"protocol\":2,\"name\":\"a\",\"version\":\"1\"}'; read -r a; read -r b",
                "it speaks version 2 of the protocol"
            ), ("exit 0", "it exited with status 0"),
        ]) func `a helper that does not begin with a hello gets no request`(lines: String, reason: String) async {
            let helper = self.helper(bare: lines)
            #expect(unavailable(await ask(helper)) == "The platform helper failed: \(reason).")
            await helper.stop()
        }

        @Test func `without a helper only the request fails`() async {
            let helper = self.helper(at: directory.file("missing"))
            #expect(unavailable(await ask(helper))?.contains("No such file or directory") == true)
            #expect(unavailable(await ask(helper)) != nil)
            #expect(reasons.elements == ["it cannot be started: No such file or directory"])
            await helper.stop()
        }

        @Test func `a helper without a hello in time is ended`() async throws {
            let helper = self.helper(bare: "exec sleep 600")
            async let outcome = ask(helper, mayPrompt: true)
            _ = try await clock.settings.wait(for: 2)
            await clock.advance(by: .seconds(5))
            #expect(unavailable(await outcome) == "The platform helper failed: it did not say hello.")
            await helper.stop()
        }

        @Test func `a proof from the provider may take longer than an answer from the box`() async throws {
            let helper = self.helper("read -r a; : > \(directory.file("got")); while :; do sleep 600; done")
            async let outcome = askAccount(helper, mayInterrupt: false, verificationToken: [7])
            await eventually { exists("got") }
            await clock.advance(by: .seconds(14))
            #expect(reasons.elements.isEmpty)
            await clock.advance(by: .seconds(1))
            #expect(unavailable(await outcome) == "The helper did not answer within 15 seconds.")
            await clock.advance(by: .seconds(5))
            #expect(reasons.elements == ["it does not respond"])
            await helper.stop()
        }

        @Test func `a helper that hangs is ended and restarted after a pause`() async throws {
            let helper = self.helper(
                """
                read -r a
                if [ -e \(directory.file("got")) ]; then
                    id=$(echo "$a" | sed 's/.*"id":\\([0-9]*\\).*/\\1/')
                    echo "{\\"type\\":\\"result\\",\\"id\\":$id,\\"permission\\":\\"granted\\"}"; read -r b; exit 0
                fi
                : > \(directory.file("got")); trap '' TERM; while :; do sleep 600; done
                """)
            async let outcome = ask(helper)
            await eventually { exists("got") }
            await clock.advance(by: .seconds(5))
            #expect(unavailable(await outcome) == "The helper did not answer within 5 seconds.")
            #expect(reasons.elements.isEmpty, "the helper may still answer late")
            await clock.advance(by: .seconds(5))
            #expect(reasons.elements == ["it does not respond"])
            #expect(unavailable(await ask(helper)) != nil, "during the pause the helper is not started")
            await eventually {
                if await ask(helper) == .success(.granted) { return true }
                await clock.advance(by: .seconds(1))
                return false
            }
            await helper.stop()
        }

        @Test func `a second answer ends the helper, but the first answer counts`() async throws {
            let helper = self.helper("read -r a;" + result(1) + result(1) + "read -r b")
            #expect(await ask(helper) == .success(.granted))
            #expect(try await reasons.wait(for: 1) == ["it answered a question that was not asked"])
            await helper.stop()
        }

        @Test func `messages of a later version are logged once`() async {
            let helper = self.helper(
                "read -r a;" + say(#"{"type":"weather"}"#) + say(#"{"type":"tide"}"#) + result(1) + "read -r b")
            #expect(await ask(helper) == .success(.granted))
            #expect(notes.elements == ["it sent a message of an unknown type: weather"])
            #expect(reasons.elements.isEmpty)
            await helper.stop()
        }

        @Test func `the helper introduces itself when an operator examines the box`() async throws {
            let helper = self.helper("read -r a; read -r b")
            for _ in 0..<2 {
                #expect(try await helper.introduction() == PlatformIntroduction(name: "box", version: "2"))
            }
            await helper.stop()
        }

        @Test func `the number of pending requests is limited`() async throws {
            let helper = self.helper("while read -r a; do :; done")
            let asking = (0..<16).map { _ in Task { await ask(helper) } }
            _ = try await clock.settings.wait(for: 17)
            #expect(unavailable(await ask(helper)) == "The helper has too many open requests.")
            await helper.stop()
            for task in asking { #expect(unavailable(await task.value) == "The daemon is stopping.") }
        }

        @Test func `a box without a helper says so`() async throws {
            #expect(BoxSignOn().partner == nil)
            #expect(try await BoxSignOn().permission(of: PlatformStage.app, mayPrompt: true) { _ in } == .restricted)
            let helper = self.helper("read -r a;" + result(1, "notDetermined") + "read -r b")
            let partner = Partner(name: "Hearth", deviceType: "hearth-box")
            let signOn = BoxSignOn(platform: .init(partner: partner, helper: helper))
            #expect(signOn.partner == partner)
            #expect(try await signOn.permission(of: PlatformStage.app, mayPrompt: false) { _ in } == .notDetermined)
            await helper.stop()
        }
    }
}
