// Runs a trace on a stage. It executes the action of a block; then exactly the lines of the block must follow. A call
// without an answer in its block continues. At the end nothing more may happen, and every call must have its answer.

import AccessEnabler
import Dispatch
import PassProtocol
import PassTestKit

@EngineActor final class TraceRunner {
    let script: TraceScript
    let clock = VirtualClock()
    let trace = Recorder<String>()
    let vault = FakeVault()
    let own: TraceService
    let others: [TraceService]
    /// The time to wait for a line, in milliseconds.
    private let timeLimit: Int
    var stage: Stage
    /// Names of apps that are additional sessions of another app.
    var aliases: [String: String] = [:]
    /// The calls that have no answer yet.
    private var open: [Int: TraceLine] = [:]
    private var played = 0

    private init(_ script: TraceScript, timeLimit: Int) async throws {
        self.script = script
        self.timeLimit = timeLimit
        let (clock, trace) = (clock, trace)
        let begin = (boot: clock.boot, date: clock.wall)
        // The service's date is right, even if the box's date is not.
        let now = { begin.date.advanced(by: begin.boot.duration(to: clock.boot)) }
        own = TraceService(now: now) { trace.append($0) }
        others = ["https://one", "https://two"].map { address in
            TraceService(address, now: now) { trace.append($0) }
        }
        serviceTime = now
        stage = try await Stage(
            vault: vault, clock: clock, trace: trace, services: TraceServices(own: own, others: others))
        stage.words = TraceText.callback
    }

    /// The service's date.
    let serviceTime: () -> ServerTime

    /// `timeLimit` in milliseconds.
    static func play(_ script: TraceScript, timeLimit: Int = 20_000) async throws {
        let runner = try await TraceRunner(script, timeLimit: timeLimit)
        defer { runner.stage.engine.stop() }
        for block in script.blocks { try await runner.play(block) }
        await runner.settle()
        guard let last = script.blocks.last else { return }
        try runner.compare(TraceBlock(action: last.expected.last ?? last.action))
        if let line = runner.open.values.min(by: { $0.number < $1.number }) {
            throw TraceFailure(script.path, line, "this was never answered")
        }
    }

    private func play(_ block: TraceBlock) async throws {
        do {
            try await act(TraceWords(block.action.text), block.action)
        } catch let error as TraceWordUnknown {
            throw TraceFailure(script.path, block.action, "\(error)")
        }
        let end = played + block.expected.count
        _ = try? await trace.wait(for: end, within: .milliseconds(timeLimit))
        await settle()
        try compare(block)
    }

    /// Compares the lines since the last block.
    private func compare(_ block: TraceBlock) throws {
        let seen = trace.elements.dropFirst(played).map { line in
            line.split(separator: " ").joined(separator: " ")
        }
        guard seen != block.expected.map(\.text) else {
            played += seen.count
            return
        }
        throw TraceFailure(
            script.path, block.action, TraceFailure.difference(expected: block.expected, seen: seen))
    }

    /// Waits until all work is done: no answer of the service is pending, and all ready tasks have run.
    func settle() async {
        var calm = 0
        for _ in 0..<10_000 where calm < 40 {
            await Task.yield()
            await Self.elsewhere()
            calm = ([own] + others).allSatisfy { $0.underWay == 0 } ? calm + 1 : 0
        }
    }

    /// The vault answers on another thread, which needs a turn too.
    @concurrent private nonisolated static func elsewhere() async {}

    // MARK: Actions

    private func act(_ words: TraceWords, _ line: TraceLine) async throws {
        var words = words
        let subject = try words.next()
        switch subject {
        case "service": try tell(own, &words)
        case "https://one": try tell(others[0], &words)
        case "https://two": try tell(others[1], &words)
        case "clock": clock.advance(by: try TraceReading.duration(String(try words.next().drop { $0 == "+" })))
        case "date": clock.setDate(try TraceReading.date(words.next()).milliseconds)
        case "answer-date": stage.engine.learn(try TraceReading.date(words.next()))
        case "setting": try set(&words)
        case "vault": vault.breakDown(try TraceReading.flag(words.next()) ? nil : VaultFault(.broken, "bad"))
        case "restart": try await restart(FakeIdentity(words.isEmpty ? FakeIdentity.usual : try words.next()))
        default:
            switch try words.next() {
            case "→": try call(subject, &words, line)
            case "is": aliases[subject] = try words.next()
            case "disconnects": await stage.apps[subject]?.close()
            case let word: throw TraceWordUnknown(word: word)
            }
        }
        try words.finish()
    }

    private func call(_ name: String, _ words: inout TraceWords, _ line: TraceLine) throws {
        let session = stage.apps[name] ?? stage.connect(name)
        let call = try TraceCall(&words, session, Stage.grant(aliases[name] ?? name))
        open[line.number] = line
        Task { @EngineActor in
            let answer: String
            do {
                answer = TraceText.answer(try await call.make())
            } catch let error as RPCError {
                answer = TraceText.error(error)
            } catch { answer = "\(error)" }
            open[line.number] = nil
            trace.append("\(name) ⇒ \(answer)")
        }
    }

    /// Closes all sessions, and starts an engine with the vault of the previous engine.
    private func restart(_ identity: FakeIdentity) async throws {
        let settings = stage.engine.settings
        stage.engine.stop()
        for session in stage.apps.values { await session.close() }
        stage = try await Stage(
            vault: vault, identity: identity, clock: clock, settings: settings, trace: trace,
            services: TraceServices(own: own, others: others))
        stage.words = TraceText.callback
    }

    private func set(_ words: inout TraceWords) throws {
        let engine = stage.engine
        switch try words.next() {
        case "remember-provider": engine.settings.remembersProvider = try TraceReading.flag(words.next())
        case "select-starts-login": engine.settings.selectStartsLogin = try TraceReading.flag(words.next())
        case "cancel-signs-out": engine.settings.cancelSignsOut = try TraceReading.flag(words.next())
        case "resync": engine.settings.resyncs = try TraceReading.flag(words.next())
        case "passive-authentication": engine.settings.isPassive = try TraceReading.flag(words.next())
        case "device-id-readable": engine.settings.deviceIDIsReadable = try TraceReading.flag(words.next())
        case "secure-browser": engine.settings.secureBrowserProviders = [ProviderID(rawValue: try words.next())]
        case "logout-scope":
            let word = try words.next()
            guard let scope = EngineSettings.LogoutScope(rawValue: word) else { throw TraceWordUnknown(word: word) }
            engine.settings.logoutScope = scope
        case let word: throw TraceWordUnknown(word: word)
        }
    }
}

extension FakeIdentity {
    fileprivate static let usual = String(repeating: "d1", count: 32)
}
