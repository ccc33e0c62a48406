// `doctor`: prints named checks, and remedies for those that fail.

import Glibc
import PassArguments
import PassClient
import PassJSON
import PassProtocol

extension Option {
    static let offline = Option("--offline", help: "ask the service nothing")
    static let record = Option(
        "--record", "FILE", help: "write what goes to the service during a login, without secrets")
}

extension Verb {
    static let doctor = Verb(
        "doctor", "run checks and say how to fix what fails", options: [.offline, .record],
        details: """
            Looks by itself whether the service answers and lets the apps in, which registers apps that are not registered \
            yet, at most once a minute. Exits with 1 if a check fails. With --record, passd also notes each request to the \
            service and its answer until Enter is pressed, for a quarter of an hour at most: sign in on the TV meanwhile. FILE \
            has names, dates and words of the interface, and neither secrets nor what is watched. It must not exist.
            """
    ) { invocation in
        if let path = invocation.arguments[.record] { try await recordLogin(invocation, to: path) }
        let isOffline = invocation.arguments.has(.offline)
        let result = try await invocation.ask(Doctor.self, .init(isOffline: isOffline))
        let hasFailed = result.list("checks").contains { $0["outcome"]?.string == "fail" }
        return Outcome(
            exit: hasFailed ? .failed : .done, data: result,
            text: doctorText(result, invocation.paint), isProse: true)
    }

    private static func recordLogin(_ invocation: Invocation, to path: String) async throws {
        // Before the viewer has signed in for nothing.
        try OutputFile.create(path, with: "")
        unlink(path)
        let connection = try await invocation.connect(.admin)
        _ = try await connection.call(Record.self, .init(isOn: true))
        invocation.console.warn("Sign in on the TV, or with passd-cli login elsewhere. Press Enter when that is done. ")
        _ = await invocation.console.readLine()
        let record = try await connection.call(Record.self, .init(isOn: false))
        let text = record.list("exchanges").map {
            String(decoding: JSONWriter.bytes($0), as: UTF8.self) + "\n"
        }
        try OutputFile.create(path, with: text.joined())
        let isWhole = record["complete"]?.bool != false
        invocation.console.warn(
            "\(counted(Int64(text.count), "request")) in \(path.onOneLine)." + (isWhole ? "" : " There were more.")
                + "\n")
    }

    static func doctorText(_ result: JSONValue, _ paint: Paint) -> String {
        result.list("checks").map { line($0, paint) }.joined(separator: "\n")
    }

    private static func line(_ check: JSONValue, _ paint: Paint) -> String {
        let words = ["name", "message", "remedy"].map { check.word($0) }
        let outcome =
            switch check["outcome"]?.string {
            case "pass": paint.good("pass")
            case "warn": paint.doubtful("warn")
            default: paint.bad("fail")
            }
        return "\(outcome)  \(words[0]): \(words[1])" + (words[2].isEmpty ? "" : "\n      \(words[2])")
    }
}
