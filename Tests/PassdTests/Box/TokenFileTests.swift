// Tests a file with a token. The file is read when it changes, and its token is used only while it is valid.

import AccessEnabler
import Glibc
import PassTestKit
import PassTestTools
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

@Suite("rest-v2.md §3.7: a token in a file") struct TokenFileTests {
    private let directory: TemporaryDirectory
    private let reasons = Recorder<String>()
    private let now = TokenSample.now
    private var path: String { directory.file("token") }

    init() throws { directory = TemporaryDirectory() }

    private func write(_ text: String, to name: String = "token") {
        let file = open(directory.file(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        _ = Glibc.write(file, text, text.utf8.count)
        close(file)
    }

    private func source(_ ask: @escaping TokenFile.Asking = { $0() }) -> TokenFile {
        TokenFile(path, { [reasons] in reasons.append($0) }, ask: ask)
    }

    @Test func `the file is read after it is replaced, rewritten or removed`() async {
        let source = source()
        let tokens = ["one", "second", "third"].map { TokenSample.token($0, lasting: .seconds(600)) }
        write(tokens[0] + "\n")
        for _ in 0..<2 { #expect(await source.token(at: now)?.reveal() == tokens[0]) }
        write(tokens[1])
        #expect(await source.token(at: now)?.reveal() == tokens[1])
        write(tokens[2], to: "new")
        rename(directory.file("new"), path)
        #expect(await source.token(at: now)?.reveal() == tokens[2])
        unlink(path)
        #expect(await source.token(at: now) == nil)
        write(tokens[0])
        #expect(await source.token(at: now)?.reveal() == tokens[0])
        #expect(reasons.elements == ["cannot be read: No such file or directory"])
    }

    @Test func `an expired token is not used, and is reported once`() async {
        let source = source()
        write(TokenSample.token(lasting: .seconds(600)))
        #expect(await source.token(at: now) != nil)
        for _ in 0..<3 { #expect(await source.token(at: now.advanced(by: .seconds(600))) == nil) }
        #expect(reasons.elements == ["the token it returned has expired"])
    }

    @Test func `after a wrong date is corrected, the token is used again`() async {
        let source = source()
        write(TokenSample.token(lasting: .seconds(600)))
        #expect(await source.token(at: now.advanced(by: .seconds(86400))) == nil)
        #expect(await source.token(at: now) != nil)
    }

    @Test(arguments: ["", "not a token", String(repeating: "x", count: 20000)])
    func `if the file has no token, only the token is missing`(text: String) async {
        let source = source()
        write(text)
        for _ in 0..<2 { #expect(await source.token(at: now) == nil) }
        #expect(reasons.elements.count == 1)
    }

    @Test func `a file system that does not answer means no token, and is reported once`() async {
        let source = source { _ in nil }
        write(TokenSample.token(lasting: .seconds(600)))
        for _ in 0..<2 { #expect(await source.token(at: now) == nil) }
        #expect(reasons.elements == ["its file system does not answer"])
    }

    @Test func `a directory or a pipe instead of the file delays no call`() async {
        mkfifo(path, 0o600)
        #expect(await source().token(at: now) == nil)
        #expect(reasons.elements == ["is not a regular file"])
    }
}
