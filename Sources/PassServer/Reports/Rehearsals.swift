// Checks for `doctor` whether the service accepts the apps. An outcome is kept for a minute, so that repeated runs do not use
// up the box's budget of requests. If there are many apps, passd asks fewer questions for each app, and keeps a good outcome
// for up to ten minutes. Callers that ask during a check wait for its outcome. rpc.md §7.

import AccessEnabler
import PassConfiguration

@EngineActor final class Rehearsals {
    struct Trial: Sendable {
        var began: BootTime
        /// The number of providers of each requestor in the check.
        var providers: [(requestor: String, count: Int)] = []
        /// The first fault, and its requestor.
        var fault: (requestor: String?, BackendFault)?
    }

    private static let memory = Duration.seconds(60)
    /// The max number of requestors of an app in the check. A few requestors are enough to see whether the statement is valid.
    private static let maxRequestors = 3
    /// The max number of requestors of all apps together in the check. If there are more apps than this number, passd asks for
    /// one requestor of each app.
    private static let maxRequestorsOfAll = 12
    /// The max number of apps in one run. The next run continues with others.
    private static let maxApps = 32

    private let engine: Engine
    private let clock: any EngineClock
    private var kept: [String: (stanza: AppStanza, until: BootTime, trial: Task<Trial, Never>)] = [:]
    /// The requestor of each app's last refusal. The next check begins with this requestor.
    private var refused: [String: String] = [:]

    init(_ engine: Engine, clock: any EngineClock) {
        self.engine = engine
        self.clock = clock
    }

    /// Returns the outcomes by the name of the app. The result leaves out apps that send their own statement, and apps without
    /// an outcome at the deadline.
    func tryOut(_ stanzas: [AppStanza], until deadline: BootTime) async -> [String: Trial] {
        kept = kept.filter { clock.boot < $0.value.until }
        let requestors = min(Self.maxRequestors, max(1, Self.maxRequestorsOfAll / max(1, stanzas.count)))
        var trials: [String: Trial] = [:]
        var count = 0
        for stanza in stanzas {
            guard case .present(let statement) = stanza.statement else { continue }
            if kept[stanza.name]?.stanza.meansTheSame(as: stanza) != true {
                guard clock.boot < deadline, count < Self.maxApps else { continue }
                count += 1
                // The trial is stored before it ends, so that a second caller waits for it and starts no other one.
                let trial = Task { @EngineActor in await self.trial(of: stanza, statement, requestors, until: deadline)
                }
                kept[stanza.name] = (stanza, clock.boot.advanced(by: Self.memory), trial)
            }
            guard let trial = kept[stanza.name]?.trial else { continue }
            let outcome = await trial.value
            // If a call of the app was refused during the trial, a good outcome of the trial does not count.
            guard outcome.fault != nil || kept[stanza.name]?.trial == trial else { continue }
            trials[stanza.name] = outcome
            if outcome.fault == nil {
                kept[stanza.name]?.until = outcome.began.advanced(by: Self.memory * min(stanzas.count, 10))
            }
        }
        return trials
    }

    /// Drops the kept outcome of an app, because a call of the app itself was refused. The next check asks again.
    func noteRefusal(of app: String, for requestor: RequestorID?) {
        kept[app] = nil
        refused[app] = requestor?.rawValue
    }

    private func trial(
        of stanza: AppStanza, _ statement: SoftwareStatement, _ count: Int, until deadline: BootTime
    ) async -> Trial {
        var trial = Trial(began: clock.boot)
        let first = stanza.requestors.filter { $0 == refused[stanza.name] }
        let requestors = (first + stanza.requestors.filter { !first.contains($0) }).prefix(count)
            .map(Optional.some)
        for requestor in requestors.isEmpty ? [nil] : requestors {
            let result = await engine.rehearse(
                AppID(rawValue: stanza.name), statement: statement.text,
                requestor: requestor.map { RequestorID(rawValue: $0) }, until: deadline)
            switch result {
            case .success(let count): if let requestor { trial.providers.append((requestor, count)) }
            case .failure(let fault):
                trial.fault = (requestor, fault)
                return trial
            }
        }
        return trial
    }
}
