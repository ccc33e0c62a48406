// A stage for tests of the platform helper. It has a script in a directory of the test, a clock that only the test
// moves, and all reports to the helper's owner.

import Glibc
import PassSystem
import PassTestKit
import PassTestTools
import Testing

@testable import AccessEnabler
@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

struct PlatformStage {
    static let hello = #"read -r hello; echo '{"type":"hello","protocol":1,"name":"box","version":"2"}'"#
    static let app = AppID(rawValue: "lumen-tv")

    let directory: TemporaryDirectory
    let clock = VirtualClock()
    let reasons = Recorder<String>()
    let notes = Recorder<String>()
    let dialogs = Recorder<PlatformDialog>()

    init() throws {
        // The daemon ignores SIGPIPE too.
        signal(SIGPIPE, SIG_IGN)
        directory = TemporaryDirectory()
    }
}

/// A suite of tests on such a stage.
protocol OnPlatformStage { var stage: PlatformStage { get } }

extension OnPlatformStage {
    var directory: TemporaryDirectory { stage.directory }
    var clock: VirtualClock { stage.clock }
    var reasons: Recorder<String> { stage.reasons }
    var notes: Recorder<String> { stage.notes }
    var dialogs: Recorder<PlatformDialog> { stage.dialogs }

    func helper(bare lines: String, grace: Duration = .seconds(60)) -> PlatformHelper {
        let path = directory.file("helper")
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o700)
        let text = "#!/bin/sh\n\(lines)\n"
        _ = write(file, text, text.utf8.count)
        close(file)
        return helper(at: path, grace)
    }

    func helper(at path: String, _ grace: Duration = .seconds(60)) -> PlatformHelper {
        var limits = LineProgram.Limits()
        limits.grace = grace
        return PlatformHelper(path, clock, limits: limits) { [reasons] in
            reasons.append($0)
        } note: { [notes] in
            notes.append($0)
        }
    }

    /// A helper that says hello first.
    func helper(_ lines: String, grace: Duration = .seconds(60)) -> PlatformHelper {
        helper(bare: PlatformStage.hello + "\n" + lines, grace: grace)
    }

    func say(_ line: String) -> String { "echo '\(line)'\n" }

    func result(_ id: Int, _ permission: String = "granted") -> String {
        say(#"{"type":"result","id":\#(id),"permission":"\#(permission)"}"#)
    }

    /// The result of a request, as a value.
    func ask(
        _ helper: PlatformHelper, mayPrompt: Bool = false
    ) async -> Result<PlatformPermission, PlatformFault> {
        do throws(PlatformFault) {
            return .success(try await helper.permission(of: PlatformStage.app, mayPrompt: mayPrompt))
        } catch { return .failure(error) }
    }

    func askAccount(
        _ helper: PlatformHelper, mayInterrupt: Bool, verificationToken: [UInt8]? = nil
    ) async -> Result<String?, PlatformFault> {
        let query = PlatformQuery(
            app: PlatformStage.app, requestor: RequestorID(rawValue: "LUMENTV"), mayInterrupt: mayInterrupt,
            verificationToken: verificationToken)
        do throws(PlatformFault) {
            return .success(try await helper.account(query) { [dialogs] in dialogs.append($0) }.providerID)
        } catch { return .failure(error) }
    }

    func unavailable<Value>(_ outcome: Result<Value, PlatformFault>) -> String? {
        if case .failure(.unavailable(let reason)) = outcome { reason } else { nil }
    }

    func exists(_ name: String) -> Bool { access(directory.file(name), F_OK) == 0 }

    func text(_ name: String) -> String {
        String(decoding: (try? TextFile.read(directory.file(name))) ?? [], as: UTF8.self)
    }
}
