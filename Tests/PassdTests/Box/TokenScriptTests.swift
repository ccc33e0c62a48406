// Tests real programs as sources of tokens: shell scripts of all kinds.

import AccessEnabler
import Glibc
import PassSystem
import PassTestKit
import PassTestTools
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

/// Serialized: a script that is still being written cannot be run while another test starts a program.
@Suite("docs/sign-on-programs.md: scripts that print tokens", .serialized) struct TokenScriptTests {
    private let directory: TemporaryDirectory
    private let reasons = Recorder<String>()

    init() throws { directory = TemporaryDirectory() }

    private func write(_ name: String, _ text: String, mode: mode_t) -> String {
        let path = directory.file(name)
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        _ = Glibc.write(file, text, text.utf8.count)
        close(file)
        chmod(path, mode)
        return path
    }

    private func program(_ lines: String) -> TokenProgram {
        TokenProgram(write("program", "#!/bin/sh\n\(lines)\n", mode: 0o700)) { [reasons] in reasons.append($0) }
    }

    @Test func `the printed token is used, and the script runs once for it`() async {
        let token = TokenSample.token(lasting: .seconds(600)), runs = directory.file("runs")
        let program = program("echo run >> \(runs); echo \(token)")
        for _ in 0..<3 { #expect(await program.token(at: TokenSample.now)?.reveal() == token) }
        #expect((try? TextFile.read(runs))?.count == 4)
        #expect(reasons.elements.isEmpty)
    }

    @Test(arguments: [
        ("exit 7", "it exited with status 7"), ("echo token; exit 1", "it exited with status 1"),
        (":", "it printed nothing"),
        ("echo", "it returned no token"), ("echo please log in", "it returned no token"),
        ("yes", "it printed more than 16384 bytes"), ("kill -KILL $$", "it was killed by signal 9"),
        ("echo " + TokenSample.token(lasting: .seconds(-60)), "the token it returned has expired"),
    ]) func `a failure means no token, and has a name`(lines: String, reason: String) async {
        let program = program(lines)
        for _ in 0..<2 { #expect(await program.token(at: TokenSample.now) == nil) }
        #expect(reasons.elements == [reason])
    }

    @Test func `a missing program means no token`() async {
        let program = TokenProgram(directory.file("missing")) { [reasons] in reasons.append($0) }
        #expect(await program.token(at: TokenSample.now) == nil)
        #expect(reasons.elements == ["it cannot be started: No such file or directory"])
    }
}
