// Tests when the token program runs, and the effects of its failures.

import AccessEnabler
import PassSystem
import PassTestKit
import PassTestTools
import Synchronization
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

@Suite("rest-v2.md §12: tokens that a program prints") struct TokenProgramTests {
    /// A program with an output that the test decides, and a clock that the test moves.
    private final class Bench: Sendable {
        let outcome = Mutex<ProgramOutput.Outcome>(.failure(.empty))
        let elapsed = Mutex(Duration.zero)
        let runs = Recorder<Int>()
        let reasons = Recorder<String>()
        let gate = Recorder<Int>()
        let isHeld = Mutex(false)

        func program() -> TokenProgram {
            TokenProgram({ self.reasons.append($0) }, now: { self.elapsed.withLock { $0 } }) {
                self.runs.append(1)
                if self.isHeld.withLock({ $0 }) { _ = try? await self.gate.wait(for: 1) }
                return self.outcome.withLock { $0 }
            }
        }

        func prints(_ name: String, lasting life: Duration?) {
            outcome.withLock { $0 = .success(TokenSample.bytes(name, lasting: life)) }
        }

        func pass(_ time: Duration) { elapsed.withLock { $0 += time } }

        var time: ServerTime { TokenSample.now.advanced(by: elapsed.withLock { $0 }) }
    }

    private let bench = Bench()

    /// The claim `sub` of the token in use.
    private func name(_ program: TokenProgram) async -> String? {
        guard let token = await program.token(at: bench.time) else { return nil }
        return ["one", "two"].first { token.reveal().contains(TokenSample.part(#"{"sub":"\#($0)"#).prefix(12)) }
    }

    private func settled(_ program: TokenProgram) async {
        await eventually { program.state.withLock { $0.renewal == nil } }
    }

    @Test func `the program runs for the first token, and not again while the token is valid`() async {
        let program = bench.program()
        #expect(bench.runs.elements.isEmpty, "not before a token is needed")
        bench.prints("one", lasting: .seconds(600))
        for _ in 0..<3 { #expect(await name(program) == "one") }
        bench.pass(.seconds(400))
        #expect(await name(program) == "one")
        #expect(bench.runs.elements.count == 1)
        #expect(bench.reasons.elements.isEmpty)
    }

    @Test func `the program runs before the token expires, and no call waits for it`() async {
        let program = bench.program()
        bench.prints("one", lasting: .seconds(600))
        #expect(await name(program) == "one")
        bench.prints("two", lasting: .seconds(1200))
        bench.isHeld.withLock { $0 = true }
        bench.pass(.seconds(500))
        for _ in 0..<3 { #expect(await name(program) == "one") }
        bench.gate.append(1)
        await settled(program)
        #expect(bench.runs.elements.count == 2)
        #expect(await name(program) == "two")
    }

    @Test func `after a failed renewal the old token is used until it expires`() async {
        let program = bench.program()
        bench.prints("one", lasting: .seconds(600))
        #expect(await name(program) == "one")
        bench.outcome.withLock { $0 = .failure(.hung(after: .seconds(5))) }
        bench.pass(.seconds(500))
        #expect(await name(program) == "one")
        await settled(program)
        bench.pass(.seconds(100))
        #expect(await name(program) == nil)
        bench.prints("two", lasting: .seconds(1200))
        bench.pass(.seconds(31))
        #expect(await name(program) == "two")
    }

    @Test func `a token without an expiry is kept for five minutes`() async {
        let program = bench.program()
        bench.prints("one", lasting: nil)
        #expect(await name(program) == "one")
        bench.prints("two", lasting: nil)
        bench.pass(.seconds(200))
        #expect(await name(program) == "one")
        bench.pass(.seconds(101))
        #expect(await name(program) == "two")
        #expect(bench.runs.elements.count == 2)
    }

    @Test(arguments: [
        (ProgramOutput.Outcome.failure(.failed(status: 3)), "it exited with status 3"),
        (.failure(.empty), "it printed nothing"),
        (.failure(.hung(after: .seconds(5))), "it did not finish within 5 seconds"),
        (.success(Array("could not log in".utf8)), "it returned no token"),
        (.success(TokenSample.bytes(lasting: .seconds(-5))), "the token it returned has expired"),
    ]) func `a failure means no token, is reported once, and is not repeated at once`(
        outcome: ProgramOutput.Outcome, reason: String
    ) async {
        let program = bench.program()
        bench.outcome.withLock { $0 = outcome }
        for _ in 0..<3 { #expect(await program.token(at: bench.time) == nil) }
        #expect(bench.runs.elements.count == 1)
        bench.pass(.seconds(31))
        #expect(await program.token(at: bench.time) == nil)
        #expect(bench.runs.elements.count == 2)
        #expect(bench.reasons.elements == [reason])
    }

    @Test func `another reason is reported, and so is the same reason after a success`() async {
        let program = bench.program()
        for outcome in [
            ProgramOutput.Outcome.failure(.empty), .failure(.failed(status: 1)),
            .success(TokenSample.bytes(lasting: .seconds(280))), .failure(.failed(status: 1)),
        ] {
            bench.outcome.withLock { $0 = outcome }
            _ = await program.token(at: bench.time)
            bench.pass(.seconds(95))
        }
        #expect(
            bench.reasons.elements == ["it printed nothing", "it exited with status 1", "it exited with status 1"])
    }

    @Test func `callers at the same time wait for the same run`() async {
        let program = bench.program()
        bench.prints("one", lasting: .seconds(600))
        bench.isHeld.withLock { $0 = true }
        let callers = (0..<5).map { _ in Task { await program.token(at: TokenSample.now) } }
        await eventually { !bench.runs.elements.isEmpty }
        bench.gate.append(1)
        for caller in callers { #expect(await caller.value != nil) }
        #expect(bench.runs.elements.count == 1)
    }
}
