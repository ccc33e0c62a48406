// `doctor`: prints named checks, and remedies for those that fail.

import PassClient
import PassJSON
import PassProtocol

extension Verb {
    static let doctor = Verb(
        name: "doctor", summary: "run checks and say how to fix what fails", details: "Exits with 1 if a check fails."
    ) { invocation in
        let result = try await invocation.connect(.admin).call(Doctor.self)
        let checks = result["checks"]?.array ?? []
        let hasFailed = checks.contains { $0["outcome"]?.string == "fail" }
        return Outcome(
            exit: hasFailed ? .failed : .done, data: result,
            text: checks.map { line($0, invocation.paint) }.joined(separator: "\n"))
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
