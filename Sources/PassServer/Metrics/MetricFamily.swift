// The table of the metrics that passd exports: names, kinds, labels and meanings. Labels have few values, all from lists in the
// source. Labels tell nothing about viewers. docs/monitoring/README.md explains each metric.

/// One metric. It may have samples with different labels.
package struct MetricFamily: Sendable {
    package enum Kind: String, Sendable { case gauge, counter, histogram, info }

    /// The name, without the suffix of the kind.
    package let name: String
    package let kind: Kind
    /// The meaning, in one sentence.
    package let help: String
    /// The names of the labels, in the order of the samples' values.
    package let labels: [String]

    private init(_ kind: Kind, _ name: String, labels: [String] = [], help: String) {
        self.name = "passd_" + name
        self.kind = kind
        self.help = help
        self.labels = labels
    }

    /// The names of the samples, as queries use them.
    package var sampleNames: [String] {
        switch kind {
        case .gauge: [name]
        case .counter: [name + "_total"]
        case .info: [name + "_info"]
        case .histogram: [name + "_bucket", name + "_sum", name + "_count"]
        }
    }

    // MARK: The daemon

    static let up = MetricFamily(.gauge, "up", help: "1: the daemon answered; 0: passd-cli got no answer.")
    static let build = MetricFamily(
        .info, "build", labels: ["version", "protocol"], help: "passd's version, and the protocol with the service.")
    static let uptime = MetricFamily(.gauge, "uptime_seconds", help: "Time since the start.")
    static let crashes = MetricFamily(
        .gauge, "crashes", labels: ["cause"], help: "Crashes in the last seven days, by signal or other cause.")
    static let warnings = MetricFamily(
        .gauge, "warnings", labels: ["code"], help: "Warnings of passd-cli status, by code.")
    static let clockOffset = MetricFamily(
        .gauge, "clock_offset_seconds", help: "How far the service's clock is ahead of the box's; absent if unknown.")

    // MARK: Apps

    static let sessions = MetricFamily(.gauge, "sessions", help: "Connected apps.")
    static let calls = MetricFamily(.counter, "calls", help: "Calls received.")
    static let deniedCalls = MetricFamily(.counter, "denied_calls", help: "Calls that policy refused.")
    static let failedCalls = MetricFamily(
        .counter, "failed_calls", labels: ["name"], help: "Calls that failed, by the name of the error.")

    static let failedStarts = MetricFamily(
        .counter, "failed_starts", help: "Apps that could not start with their requestor: setRequestor failed.")

    // MARK: Requests to the service

    static let requests = MetricFamily(
        .counter, "requests", labels: ["endpoint", "outcome"],
        help: "Requests sent to the service, by endpoint and outcome.")
    static let requestDuration = MetricFamily(
        .histogram, "request_duration_seconds", labels: ["endpoint"],
        help: "Time from sending a request to its answer or failure.")
    static let reachable = MetricFamily(
        .gauge, "service_reachable", help: "Whether the last request was answered properly; absent if there was none.")
    static let questions = MetricFamily(
        .counter, "questions", labels: ["question", "outcome"],
        help: "Questions to the service, including repetitions, by question and outcome.")
    static let registrationAttempts = MetricFamily(
        .counter, "registration_attempts", labels: ["outcome"], help: "Requests to register an app, by outcome.")
    static let registrations = MetricFamily(.gauge, "registrations", help: "Registrations that the service accepted.")

    // MARK: The budget of requests

    static let budget = MetricFamily(
        .gauge, "budget_requests", labels: ["share"],
        help: "Requests that may be sent now, by share: for any purpose, or reserved for viewers.")
    static let queued = MetricFamily(.gauge, "queued_requests", help: "Requests that wait for their turn.")
    static let pauses = MetricFamily(.counter, "request_pauses", help: "Pauses of all requests after a 429.")
    static let pausedTime = MetricFamily(
        .counter, "request_pause_seconds", help: "Time for which all requests paused after a 429.")

    // MARK: Logins

    static let openLogins = MetricFamily(.gauge, "open_logins", help: "Codes on screens.")
    static let logins = MetricFamily(.gauge, "logins", help: "Stored logins.")
    static let openedLogins = MetricFamily(.counter, "opened_logins", help: "Codes that were shown.")
    static let closedLogins = MetricFamily(
        .counter, "closed_logins", labels: ["outcome"], help: "Codes that ended, by outcome.")
    static let polls = MetricFamily(.counter, "polls", labels: ["outcome"], help: "Polls of codes, by answer.")
    static let signIns = MetricFamily(
        .counter, "sign_ins", labels: ["by"], help: "How often a requestor became signed in, by cause.")
    static let endedLogins = MetricFamily(
        .counter, "ended_logins", labels: ["cause"], help: "Logins that ended, by cause.")

    // MARK: Decisions

    static let decisions = MetricFamily(
        .counter, "decisions", labels: ["outcome", "decided_by"], help: "Decisions about plays.")
    static let hints = MetricFamily(
        .counter, "hints", labels: ["outcome"], help: "Hints that the service gave, one for each resource.")
    static let mediaTokens = MetricFamily(.counter, "media_tokens", help: "Media tokens that the service issued.")

    // MARK: The store

    static let storePersistent = MetricFamily(
        .gauge, "store_persistent", help: "1: the store is on the disk; 0: the store is only in memory.")
    static let unsavedChanges = MetricFamily(
        .gauge, "unsaved_changes", help: "Changes that are not on the disk yet.")
    static let storeWrites = MetricFamily(
        .counter, "store_writes", labels: ["outcome"], help: "Writes of the store, by outcome.")

    /// All families, in the order of printing.
    package static let all = [
        up, build, uptime, crashes, warnings, clockOffset, sessions, calls, deniedCalls, failedCalls, failedStarts,
        requests, requestDuration, reachable, questions, registrationAttempts, registrations, budget, queued, pauses,
        pausedTime, openLogins, logins, openedLogins, closedLogins, polls, signIns, endedLogins, decisions, hints,
        mediaTokens, storePersistent, unsavedChanges, storeWrites,
    ]
}
