// Takes tokens from the output of a program. A token is kept until shortly before its end. When a caller wants a token, the
// program runs if there is no token, or if the present token ends soon.

package import AccessEnabler
import PassSystem
import Synchronization

package final class TokenProgram: TokenSource {
    struct State {
        var shelf = TokenShelf()
        var renewal: Task<Secret?, Never>?
    }

    private enum Answer {
        case now(Secret?)
        case later(Task<Secret?, Never>)
    }

    private let run: @Sendable () async -> ProgramOutput.Outcome
    private let trouble: TokenTrouble
    private let now: @Sendable () -> Duration
    let state = Mutex(State())

    package convenience init(_ path: String, _ report: @escaping @Sendable (String) -> Void) {
        let output = ProgramOutput(path)
        self.init(report) { await output.run() }
    }

    init(
        _ report: @escaping @Sendable (String) -> Void, now: @escaping @Sendable () -> Duration = { BootClock.now },
        run: @escaping @Sendable () async -> ProgramOutput.Outcome
    ) {
        self.run = run
        self.now = now
        trouble = TokenTrouble(report)
    }

    package func token(at time: ServerTime) async -> Secret? {
        let answer: Answer = state.withLock { state in
            switch state.shelf.move(at: time, now()) {
            case .use(let token): return .now(token)
            case .useAndRenew(let token):
                _ = renewal(&state, time)
                return .now(token)
            case .renew: return .later(renewal(&state, time))
            case .doWithout: return .now(nil)
            }
        }
        switch answer {
        case .now(let token): return token
        case .later(let renewal): return await renewal.value
        }
    }

    /// Returns the running renewal, or starts one. A renewal continues even if its first caller is cancelled, because other
    /// callers may wait for it.
    private func renewal(_ state: inout State, _ time: ServerTime) -> Task<Secret?, Never> {
        if let renewal = state.renewal { return renewal }
        let renewal = Task { await renew(time) }
        state.renewal = renewal
        return renewal
    }

    private func renew(_ time: ServerTime) async -> Secret? {
        let token: SignOnToken?
        let reason: String?
        do {
            token = try SignOnToken.good(try await run().get(), at: time)
            reason = nil
        } catch {
            (token, reason) = (nil, "\(error)")
        }
        state.withLock { state in
            if let token { state.shelf.put(token, at: now()) } else { state.shelf.failed(at: now()) }
            state.renewal = nil
        }
        trouble.now(reason)
        return token?.text
    }
}
