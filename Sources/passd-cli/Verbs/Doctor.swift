// `doctor`: prints named checks, and remedies for failed checks.

import PassArguments
import PassClient
import PassJSON
import PassProtocol

extension Option {
    static let offline = Option("--offline", help: "do not ask the service")
    static let record = Option(
        "--record", "FILE", help: "record the exchanges with the service during a login, without secrets")
}

extension Verb {
    static let doctor = Verb(
        "doctor", "run checks and explain how to fix failures", options: [.offline, .record],
        details: """
            Asks the service whether it accepts the apps. If you run doctor again within a minute, it shows the same answers \
            without asking, except about an app that was refused in between. Registers apps that are not registered yet. \
            Exits with 1 if a check fails. \
            With --record, passd first records its requests to the service and the answers. Sign in on the TV during the \
            recording. The recording ends when you press Enter, or after 15 minutes. FILE must not exist. FILE gets \
            the names of headers, params and members. Of their values, it gets only dates, numbers and words that the \
            service's protocol defines, and never secrets or resources. passd-cli \
            writes FILE every second.
            """
    ) { invocation in
        if let path = invocation.arguments[.record] {
            var file = ExchangeFile(path: path, console: invocation.console) { try await invocation.connect(.admin) }
            try await file.record()
        }
        let isOffline = invocation.arguments.has(.offline)
        let result = try await invocation.ask(Doctor.self, .init(isOffline: isOffline))
        let hasFailed = result.list("checks").contains { $0["outcome"]?.string == "fail" }
        return Outcome(
            exit: hasFailed ? .failed : .done, data: result,
            text: doctorText(result, invocation.paint), isProse: true)
    }

    static func doctorText(_ result: JSONValue, _ paint: Paint) -> String {
        result.list("checks").map { check in
            let outcome =
                switch check["outcome"]?.string {
                case "pass": paint.good("pass")
                case "warn": paint.doubtful("warn")
                default: paint.bad("fail")
                }
            let remedy = check.word("remedy")
            return "\(outcome)  \(check.word("name")): \(check.word("message"))"
                + (remedy.isEmpty ? "" : "\n      \(remedy)")
        }.joined(separator: "\n")
    }
}
