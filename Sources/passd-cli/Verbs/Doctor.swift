// `doctor`: prints named checks, and remedies for failed checks.

import Glibc
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
            Asks the service whether it accepts the apps. If you run doctor again within a minute, it shows the same \
            answers. It asks the service again only about apps that the service has refused in the meantime. Registers \
            apps that are not registered yet. Exits with 1 if a check fails. With --record, passd first records its \
            requests to the service and the answers. Sign in on the TV during the recording. The recording ends when \
            you press Enter, or after 15 minutes. FILE must not exist. FILE gets the names of headers, params and \
            members. Of their values, it gets only dates, numbers and words that the service's protocol defines, and \
            never secrets or resources. passd-cli writes FILE every second.
            """
    ) { invocation in
        if let path = invocation.arguments[.record] {
            var file = ExchangeFile(path: path, console: invocation.console) { try await invocation.connect(.admin) }
            try await file.record()
        }
        let answer = try await invocation.ask(Doctor.self, .init(isOffline: invocation.arguments.has(.offline)))
        let box = [boxCheck(invocation.console)].compactMap { $0?.json }
        let result: JSONValue = ["checks": .array(box + answer.list("checks"))]
        let hasFailed = result.list("checks").contains { $0["outcome"]?.string == "fail" }
        return Outcome(
            exit: hasFailed ? .failed : .done, data: result,
            text: doctorText(result, invocation.paint), isProse: true)
    }

    /// Compares this box with the table in installing.md. Processor and glibc are not compared, because this program would not
    /// start on another processor or with an older glibc. Nil if nothing is known about the box.
    static func boxCheck(_ console: any Console) -> Doctor.Check? {
        func words(_ command: String...) -> [String] {
            (console.output(of: command) ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
        }
        func isOlder(_ version: String, than least: [Int]) -> Bool {
            version.split { !$0.isNumber }.compactMap { Int($0) }.lexicographicallyPrecedes(least)
        }
        let (system, manager) = (words("uname", "-srm"), Array(words("systemctl", "--version").prefix(2)))
        guard system.count == 3 else { return nil }
        let libraries: [String] = ["libcurl.so.4", "libqrencode.so.4"]
        var lacking = libraries.filter { dlopen($0, RTLD_LAZY) == nil }
        if let version = dlopen(libraries[0], RTLD_LAZY).flatMap({ dlsym($0, "curl_version") }) {
            typealias Version = @convention(c) () -> UnsafePointer<CChar>
            let text = String(cString: unsafeBitCast(version, to: Version.self)())
            if isOlder(text, than: [7, 85]) { lacking.append("libcurl 7.85") }
        }
        if isOlder(system[1], than: [5, 3]) { lacking.append("Linux 5.3") }
        if let version = manager.last, isOlder(version, than: [250]) { lacking.append("systemd 250") }
        let found = [system, words("getconf", "GNU_LIBC_VERSION"), manager].filter { !$0.isEmpty }
            .map { $0.joined(separator: " ") }.joined(separator: ", ")
        let lacks = lacking.isEmpty ? "." : ", but not \(lacking.joined(separator: ", "))."
        return Doctor.Check(
            "box", lacking.isEmpty ? .pass : .fail,
            message: "This box has \(found)\(lacks)",
            remedy: lacking.isEmpty ? nil : "See \"What the box must have\" in installing.md.")
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
