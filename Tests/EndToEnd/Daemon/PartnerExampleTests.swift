// Runs the box of the example exactly as its page says.

import FoundationEssentials
import Glibc
import PassTestTools
import Testing

@testable import PassSandbox

@Suite("Examples/platform-helper/README.md: by hand") struct PartnerExampleTests {
    private static let folder = "Examples/platform-helper/"

    @Test(arguments: Interface.allCases) func `the two commands sign the viewer on`(interface: Interface) throws {
        let page = try String(contentsOfFile: repository + Self.folder + "README.md", encoding: .utf8)
        #expect(
            page.contains(
                "\nExamples/platform-helper/box ~/tv\npassd-cli --socket ~/tv/passd.sock --requestor LUMENTV check\n"))
        // Uses a free port.
        let sandbox = try RunningSandbox()
        _ = try sandbox.stop()
        let scratch = TemporaryDirectory()
        let path = RunningBox.builds + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
        let tv = scratch.file("tv")
        let box = try ChildProcess(
            [repository + Self.folder + "box", tv, "--protocol", interface.rawValue], folder: repository,
            environment: ["SANDBOX": sandbox.origin, "PATH": path])
        #expect(becomesTrue { box.output.hasSuffix("\n") || box.hasEnded }, "\(box.errors)")
        func cli(_ words: String...) throws -> ChildProcess.Ending {
            try ChildProcess.run(
                [RunningBox.builds + "passd-cli", "--socket", tv + "/passd.sock", "--requestor", "LUMENTV"] + words)
        }
        // On a busy machine the helper may need more time to start than a call allows. The viewer is then signed in a
        // little later.
        var check = try cli("check")
        _ = try becomesTrue {
            if check.status == 3 { check = try cli("check") }
            return check.status != 3
        }
        #expect(check.status == 0 && check.output.hasPrefix("Signed in with BeaconTV"), "\(check)")
        #expect(try cli("logout").errors.contains("TV account is still signed in"))
        let account = try String(contentsOfFile: tv + "/tv-account.json", encoding: .utf8)
        let edited = account.replacing(
            "\"consent\": { \"lumen-tv\": \"granted\", \"lumen-legacy\": \"granted\" }", with: "\"consent\": {}"
        )
        .replacing("\"prompt\": \"granted\"", with: "\"prompt\": \"denied\"")
        #expect(edited != account)
        try edited.write(toFile: tv + "/tv-account.json", atomically: true, encoding: .utf8)
        let later = try cli("check")
        #expect(later.status == 3, "the viewer has not been asked: \(later)")
        #expect(try cli("doctor").output.contains("sandbox-helper 1 answers"))
    }
}
