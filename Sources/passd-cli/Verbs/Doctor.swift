// `doctor`: prints named checks, and remedies for those that fail.

import PassClient
import PassJSON
import PassProtocol

extension Option {
    static let offline = Option(name: "--offline", help: "ask the service nothing")
}

extension Verb {
    static let doctor = Verb(
        name: "doctor", summary: "run checks and say how to fix what fails", options: [.offline],
        details: """
            Looks by itself whether the service answers and lets the apps in, which registers apps that are not registered \
            yet, at most once a minute. Exits with 1 if a check fails.
            """
    ) { invocation in
        let isOffline = invocation.arguments.has(.offline)
        let result = try await invocation.connect(.admin).call(Doctor.self, .init(isOffline: isOffline))
        let checks = result["checks"]?.array ?? []
        let hasFailed = checks.contains { $0["outcome"]?.string == "fail" }
        return Outcome(
            exit: hasFailed ? .failed : .done, data: result,
            text: doctorText(result, invocation.paint), isProse: true)
    }

    static func doctorText(_ result: JSONValue, _ paint: Paint) -> String {
        (result["checks"]?.array ?? []).map { line($0, paint) }.joined(separator: "\n")
    }

    private static func line(_ check: JSONValue, _ paint: Paint) -> String {
        let words = ["name", "message", "remedy"].map { check[$0]?.string?.onOneLine ?? "" }
        let outcome =
            switch check["outcome"]?.string {
            case "pass": paint.good("pass")
            case "warn": paint.doubtful("warn")
            default: paint.bad("fail")
            }
        return "\(outcome)  \(words[0]): \(words[1])" + (words[2].isEmpty ? "" : "\n      \(words[2])")
    }
}
