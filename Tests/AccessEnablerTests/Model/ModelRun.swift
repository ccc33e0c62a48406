// Runs one sequence with a real engine, and compares the engine with the rules after every step.

import PassProtocol
import PassTestKit

@testable import AccessEnabler

/// The step that failed, with the expected and the actual state.
struct ModelFailure: Error {
    let step: Int
    let expected: String
    let seen: String
}

@EngineActor final class ModelRun {
    /// A deliberate fault that the harness must find.
    enum Plant: Sendable { case none, repeatedToken, wrongRule, forgetfulVault, deafApps }

    /// The callbacks of a connection since the step began.
    struct Heard {
        var configured = 0
        var statuses = 0
        var reasons: [Callback.Reason] = []
    }

    @EngineActor final class Connection {
        let session: Session
        var heard = Heard()
        init(_ session: Session) { self.session = session }
        var key: LoginKey? { session.asker?.key }
    }

    let clock = VirtualClock()
    let service: ModelService
    let vault: ModelVault
    private(set) var engine: Engine
    private(set) var connections: [Seat: Connection] = [:]
    var rules = ModelRules()
    private let isDeaf: Bool
    /// Whether the engine has learned the date from an answer.
    private(set) var knowsDate = false
    private var told: Set<String> = []
    private var daysAhead = 0
    private var activity = 0
    var complaints: [String] = []

    init(seed: UInt64, _ plant: Plant = .none) async throws {
        service = ModelService(seed: seed, clock, repeatsTokens: plant == .repeatedToken)
        isDeaf = plant == .deafApps
        rules.keepsSelections = plant == .wrongRule
        vault = ModelVault(isForgetful: plant == .forgetfulVault)
        engine = try await Self.start(service, vault, clock)
        listen()
    }

    private static func start(
        _ service: ModelService, _ vault: ModelVault, _ clock: VirtualClock
    ) async throws -> Engine {
        try await Engine.start(
            EnginePorts(
                services: SingleService(service), vault: vault, identity: ModelIdentity(), clock: clock,
                statement: { _ in Secret("s") }, chance: { 0.5 }, digest: { $0 }))
    }

    private func listen() {
        knowsDate = false
        service.answered = { [unowned self] in
            knowsDate = true
            // Asked twice, because a jump of the date needs two answers.
            for _ in 0..<2 { engine.learn(service.now) }
        }
    }

    /// The date that the box uses: its own date, until an answer of the service corrects it.
    var now: ServerTime { knowsDate ? service.now : clock.wall }

    /// Breaks reference cycles.
    func end() async {
        engine.stop()
        for connection in connections.values { await connection.session.close() }
        connections = [:]
        service.answered = {}
    }

    // MARK: Connections

    func connection(_ seat: Seat) -> Connection {
        if let known = connections[seat] { return known }
        let connection = Connection(engine.open { [unowned self] in hear($0, seat) })
        connections[seat] = connection
        return connection
    }

    private func hear(_ callback: Callback, _ seat: Seat) {
        activity += 1
        guard let connection = connections[seat] else { return }
        switch callback {
        case .setRequestorComplete: connection.heard.configured += 1
        case .setAuthenticationStatus(_, _, let reason?, _, _):
            if !isDeaf { connection.heard.reasons.append(reason) }
        case .setAuthenticationStatus: connection.heard.statuses += 1
        case .setToken(let token, _):
            if !service.tokens.contains(token) { complaints.append("a token is the service's: \(token)") }
            if !told.insert(token).inserted { complaints.append("a token is told but once: \(token)") }
        default: break
        }
    }

    // MARK: Steps

    /// Starts the call or event, and waits until all work is done.
    func play(_ step: Step) async throws -> [Outcome?] {
        for connection in connections.values { connection.heard = Heard() }
        let outcomes: [Outcome?]
        switch step {
        case .together(let one, let other):
            let calls = [begin(one), begin(other)]
            await settle(calls)
            outcomes = calls.map(\.outcome)
        case .pass(let seconds): outcomes = [await pass(seconds)]
        case .restart: outcomes = [try await restart()]
        default:
            let call = begin(step)
            await settle([call])
            outcomes = [call.outcome]
        }
        return outcomes
    }

    @EngineActor private final class Call { var outcome: Outcome? }

    func checkAll() async -> [(Seat, Outcome?)] {
        let calls = connections.keys.sorted { $0.rawValue < $1.rawValue }.map { ($0, begin(.check($0))) }
        await settle(calls.map(\.1))
        return calls.map { ($0.0, $0.1.outcome) }
    }

    private func begin(_ step: Step) -> Call {
        let call = Call()
        if let seat = step.seat { _ = connection(seat) }
        Task { @EngineActor in
            call.outcome = await perform(step)
            activity += 1
        }
        return call
    }

    /// Waits until nothing has happened for some turns of the queue. This gives time to work on other threads too, such
    /// as the end of a task.
    private func settle(_ calls: [Call] = []) async {
        var quiet = 0
        var last = (activity, service.activity)
        for _ in 0..<10_000 where quiet < 5 {
            let isBusy =
                engine.logoutDelivery.isSweeping || vault.isWriting || calls.contains { $0.outcome == nil }
            // An answer takes only turns of the queue.
            if service.isAsked || quiet < 3 && !isBusy { await EngineActor.turn() } else { await Task.yield() }
            let isWaiting = isBusy || service.isAsked
            let current = (activity, service.activity)
            quiet = current == last && !isWaiting ? quiet + 1 : 0
            last = current
        }
    }

    private func pass(_ seconds: Int) async -> Outcome {
        let slice = seconds > 600 ? seconds : 5
        var rest = seconds
        while rest > 0 {
            clock.advance(by: .seconds(min(slice, rest)))
            await settle()
            rest -= slice
        }
        // Fires the due alarms, and those that they set.
        for _ in 0..<20 {
            let before = (clock.settings.elements.count, clock.alarmCount)
            clock.advance(by: .zero)
            await settle()
            if before == (clock.settings.elements.count, clock.alarmCount) { break }
        }
        return .done
    }

    private func restart() async throws -> Outcome {
        vault.isWell = true
        await engine.flush()
        engine.stop()
        for connection in connections.values { await connection.session.close() }
        connections = [:]
        engine = try await Self.start(service, vault, clock)
        listen()
        await settle()
        return .done
    }

    /// The outcomes of calls that the rules distinguish.
    enum Outcome: Equatable {
        case done
        case failed
        case answered(ProviderID?)
        case listed([String])
    }

    private func perform(_ step: Step) async -> Outcome {
        guard let seat = step.seat else { return happens(step) }
        let connection = connection(seat)
        let session = connection.session
        do throws(RPCError) {
            switch step {
            case .setRequestor(_, let channel):
                let grant = Session.AppRights(app: seat.app, statement: Secret("s"))
                let result = try await session.setRequestor(.init(requestorID: channel.rawValue), grant)
                return .answered(result.provider.map { ProviderID(rawValue: $0) })
            case .check:
                guard case .authenticated(let provider, _, _, _) = try await session.checkAuthentication() else {
                    return .answered(nil)
                }
                return .answered(ProviderID(rawValue: provider))
            case .getAuthentication: _ = try await session.getAuthentication(.init())
            case .select(_, let provider):
                _ = try await session.setSelectedProvider(.init(providerID: provider.rawValue))
            case .cancel: _ = try await session.setSelectedProvider(.init(providerID: nil))
            case .getAuthorization: _ = try await session.getAuthorization(.init(resource: "film"))
            case .checkAuthorization: _ = try await session.checkAuthorization(.init(resource: "film"))
            case .preauthorize: _ = try await session.checkPreauthorizedResources(.init(resources: ["film", "news"]))
            case .metadata: _ = try await session.getMetadata(.authentication)
            case .profiles: return .listed(try await session.listProfiles().profiles.map(\.provider))
            case .logout: _ = try await session.logout()
            default:
                connections[seat] = nil
                await session.close()
            }
            return .done
        } catch { return .failed }
    }

    private func happens(_ step: Step) -> Outcome {
        switch step {
        case .viewerLogsIn: service.useNewestCode()
        case .loginCompletes:
            service.useNewestCode()
            clock.advance(by: PollSchedule.interval * (1 + PollSchedule.jitter))
        case .appears(let provider): service.appears(provider.id)
        case .revoked(let provider): service.revoke(provider.id)
        case .network(let isUp): service.isUp = isUp
        case .vault(let isWell): vault.isWell = isWell
        case .date(let days):
            let shift = Int64(days - daysAhead) * 86_400_000
            daysAhead = days
            clock.setDate(clock.wall.milliseconds + shift)
        default: break
        }
        return .done
    }
}
