// Tests the slow parts of the platform helper: pickers and their dialogs, withdrawn requests, and the end of the
// helper. docs/platform-helper.md.

import AccessEnabler
import Glibc
import PassTestKit
import PassTestTools
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

/// Part of a serialized suite: a script that is still being written cannot be run while another test starts a program.
extension TokenScriptTests {
    @Suite("access-enabler.md §17.5: the platform helper's dialogs, and its end")
    struct PlatformDialogTests: OnPlatformStage {
        let stage: PlatformStage

        init() throws { stage = try PlatformStage() }

        @Test func `a picker may take five minutes`() async throws {
            let helper = self.helper(
                "read -r a; : > \(directory.file("got"));" + say(#"{"type":"presentDialog","id":1,"handle":"p"}"#)
                    + "read -r b; read -r c")
            async let outcome = askAccount(helper, mayInterrupt: true)
            try await dialogs.wait(for: 1)
            await clock.advance(by: .seconds(299))
            #expect(dialogs.elements == [.present("p")])
            await clock.advance(by: .seconds(1))
            #expect(unavailable(await outcome) == "The helper did not answer within 5 minutes.")
            #expect(dialogs.elements == [.present("p"), .dismiss("p")])
            await helper.stop()
        }

        @Test func `a withdrawn request is cancelled, and its late answer is ignored`() async throws {
            let helper = self.helper(
                "read -r a; : > \(directory.file("got")); read -r c; echo \"$c\" > \(directory.file("cancel"));"
                    + say(#"{"type":"presentDialog","id":1,"handle":"late"}"#)
                    + say(#"{"type":"error","id":1,"code":"cancelled"}"#) + "read -r b;" + result(2) + "read -r d")
            let asking = Task { await askAccount(helper, mayInterrupt: true) }
            await eventually { exists("got") }
            asking.cancel()
            #expect(unavailable(await asking.value) == "The request was cancelled.")
            #expect(await ask(helper) == .success(.granted))
            #expect(text("cancel") == "{\"type\":\"cancel\",\"id\":1}\n")
            #expect(reasons.elements.isEmpty && dialogs.elements.isEmpty)
            await helper.stop()
        }

        @Test(arguments: [
            (#"{"type":"result","id":1,"provider":"beacon-11"}"#, Result<String?, PlatformFault>.success("beacon-11")),
            (#"{"type":"error","id":1,"code":"otherProvider"}"#, .failure(.otherProvider)),
            (
                #"{"type":"result","id":1,"provider":7}"#,
                .failure(
                    .unavailable(
                        "The platform helper failed: it printed a line whose provider is not a string of 1 to 256 bytes."
                    )
                )
            ),
        ]) func `dialogs are reported when they appear and disappear, and no dialog stays`(
            last: String, outcome: Result<String?, PlatformFault>
        ) async {
            func dialog(_ type: String, _ handle: String) -> String {
                say(#"{"type":"\#(type)","id":1,"handle":"\#(handle)"}"#)
            }
            let helper = self.helper(
                "read -r a;" + dialog("presentDialog", "a") + dialog("presentDialog", "b")
                    + dialog("dismissDialog", "a")
                    + dialog("presentDialog", "c") + say(last) + "read -r b")
            #expect(await askAccount(helper, mayInterrupt: true) == outcome)
            #expect(
                dialogs.elements
                    == [.present("a"), .present("b"), .dismiss("a"), .present("c"), .dismiss("c"), .dismiss("b")])
            await helper.stop()
        }

        @Test(arguments: [
            (["presentDialog"], "kill -KILL $$", "it was killed by signal 9"),
            (["presentDialog", "presentDialog"], "read -r b", "it presented too many dialogs, or the same one twice"),
            (
                ["presentDialog", "dismissDialog", "dismissDialog"], "read -r b",
                "it dismissed a dialog that was not shown"
            ),
        ]) func `the dialog of a helper that fails is dismissed`(types: [String], end: String, reason: String) async {
            let lines = types.map { say(#"{"type":"\#($0)","id":1,"handle":"a"}"#) }.joined()
            let helper = self.helper("read -r a;" + lines + end)
            #expect(
                unavailable(await askAccount(helper, mayInterrupt: true)) == "The platform helper failed: \(reason).")
            #expect(dialogs.elements == [.present("a"), .dismiss("a")])
            await helper.stop()
        }

        @Test func `the helper may exit by itself while the daemon stops`() async {
            let helper = self.helper("read -r a;" + result(1) + "cat > /dev/null; : > \(directory.file("ended"))")
            #expect(await ask(helper) == .success(.granted))
            await helper.stop()
            #expect(exists("ended"))
            #expect(unavailable(await ask(helper)) == "The daemon is stopping.")
            #expect(reasons.elements.isEmpty)
            await helper.stop()
        }

        @Test func `a helper that does not exit is ended`() async throws {
            let pid = directory.file("pid")
            let helper = self.helper(
                "echo $$ > \(pid); read -r a;" + result(1) + "trap '' TERM; while :; do sleep 600; done",
                grace: .milliseconds(100))
            #expect(await ask(helper) == .success(.granted))
            await helper.stop()
            let number = try #require(pid_t(text("pid").filter(\.isNumber)))
            #expect(kill(number, 0) != 0)
        }
    }
}
