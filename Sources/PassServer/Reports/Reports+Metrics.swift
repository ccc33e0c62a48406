// `passd.metrics`: the daemon's numbers. They come from the meter and from the state of the daemon's parts. rpc.md §7.

import AccessEnabler
import PassConfiguration
import PassJSON
import PassProtocol
import PassSystem

extension Reports {
    func metrics() async -> JSONValue {
        let health = await parts.storeHealth()
        return [
            "contentType": .string(Metrics.contentType),
            "text": .string(MetricsText.text(of: families(health), instance: parts.instance)),
        ]
    }

    private func families(_ health: VaultHealth) -> [MetricSamples] {
        let counted = parts.meter.counts
        return daemonFamilies(health) + serviceFamilies(counted)
            + [
                MetricSamples(.openLogins, engine.openLoginKeys.count),
                MetricSamples(.logins, engine.inventory.count),
            ]
            + [
                MetricFamily.openedLogins, .closedLogins, .polls, .signIns, .endedLogins, .decisions, .hints,
                .mediaTokens,
            ].map { MetricSamples($0, counted.counts(of: $0)) }
            + [
                MetricSamples(.storePersistent, health.isPersistent ? 1 : 0),
                MetricSamples(.unsavedChanges, engine.unsavedChanges),
                MetricSamples(.storeWrites, counted.counts(of: .storeWrites)),
            ]
    }

    private func daemonFamilies(_ health: VaultHealth) -> [MetricSamples] {
        let interface = state.loaded.configuration.backend.version.rawValue
        let warnings = Dictionary(grouping: warnings(health)) { [$0.code] }
        return [
            MetricSamples(.up, 1), MetricSamples(.build, [[PassdVersion.text, interface]: 1]),
            MetricSamples(.uptime, Int(state.uptime)),
            MetricSamples(.crashes, Dictionary(grouping: recentCrashes) { [$0.cause] }.mapValues(\.count)),
            MetricSamples(.warnings, warnings.mapValues(\.count)),
            MetricSamples(.clockOffset, seconds: engine.clockOffset),
            MetricSamples(.sessions, clients.count), MetricSamples(.calls, counts.taken),
            MetricSamples(.deniedCalls, counts.denied),
            MetricSamples(.failedCalls, Dictionary(uniqueKeysWithValues: counts.failed.map { ([$0.key], $0.value) })),
            MetricSamples(.failedStarts, parts.meter.counts.counts(of: .failedStarts)),
        ]
    }

    private func serviceFamilies(_ counted: MetricCounts) -> [MetricSamples] {
        let load = parts.service.load()
        return [
            MetricSamples(.requests, counted.counts(of: .requests)),
            MetricSamples(.requestDuration, counted.durations.map { ([$0.key], .histogram($0.value)) }),
            MetricSamples(.reachable, isReachable.map { $0 ? 1 : 0 }),
            MetricSamples(.questions, counted.counts(of: .questions)),
            MetricSamples(.registrationAttempts, counted.counts(of: .registrationAttempts)),
            MetricSamples(.registrations, load.registrations),
            MetricSamples(.budget, [["anybody"]: load.available, ["viewers"]: load.keptForViewers]),
            MetricSamples(.queued, load.waiting), MetricSamples(.pauses, Int(clamping: load.pauses)),
            MetricSamples(.pausedTime, seconds: load.paused),
        ]
    }
}
