// `policy explain`: tells why a peer may or may not call a method, without being that peer.

import Glibc
import PassClient
import PassJSON
import PassProtocol

extension Option {
    static let uid = Option(name: "--uid", value: "UID", help: "the user of the process; default: yourself")
    static let pid = Option(name: "--pid", value: "PID", help: "a process that runs, with its user, unit and program")
    static let unit = Option(name: "--unit", value: "UNIT", help: "the systemd unit of the process")
    static let executable = Option(name: "--executable", value: "PATH", help: "the program that the process runs")
    static let origin = Option(
        name: "--origin", value: "ORIGIN", help: "the web app that the process shows, such as https://news24.example")
}

extension Verb {
    static let policyExplain = Verb(
        name: "policy explain", summary: "show what policy decides about a process, and by which rule",
        operands: [.method()], options: [.uid, .pid, .unit, .executable, .origin],
        details: """
            With --requestor, the call is for that requestor. A denial says which app lists the requestor, and why its rules \
            do not hold. Exits with 3 if the call would be denied.
            """
    ) { invocation in
        let arguments = invocation.arguments
        let (uid, pid) = try process(arguments)
        let result = try await invocation.connect(.admin).call(
            PolicyExplain.self,
            .init(
                uid: uid, pid: pid, unit: arguments[.unit], executable: arguments[.executable],
                origin: arguments[.origin], method: arguments.operands[0], requestorID: invocation.requestor))
        let isAllowed = result["allowed"]?.bool == true
        return Outcome(
            exit: isAllowed ? .done : .no, data: result, text: text(of: result, invocation.paint), isProse: true)
    }

    /// The user, or else the process, that is asked about.
    private static func process(_ arguments: Arguments) throws(Failure) -> (uid: UInt32?, pid: Int32?) {
        guard let text = arguments[.pid] else {
            return (try arguments[.uid].map { text throws(Failure) in try number(text, "--uid") } ?? getuid(), nil)
        }
        guard arguments[.uid] == nil else {
            throw Failure.usage("--pid and --uid exclude each other.", Verb.policyExplain)
        }
        return (nil, try number(text, "--pid"))
    }

    private static func text(of result: JSONValue, _ paint: Paint) -> String {
        func word(_ name: String) -> String? { result[name]?.string?.onOneLine }
        var process = result["uid"]?.int64.map { number in
            "user \(name(of: number).map { "\($0) (\(number))" } ?? "\(number)")"
        }
        if let unit = word("unit") { process = (process ?? "") + ", unit \(unit)" }
        if let executable = word("executable") { process = (process ?? "") + ", program \(executable)" }
        if let origin = word("origin") { process = (process ?? "") + ", web app \(origin)" }
        let isAllowed = result["allowed"]?.bool == true
        let rows = [
            ("decision", isAllowed ? paint.good("allowed") : paint.bad("denied")), ("process", process ?? ""),
            ("app", word("app") ?? ""), ("rule", word("rule") ?? ""),
        ].filter { !$0.1.isEmpty }
        let notes = (result["notes"]?.array ?? []).compactMap { $0.string?.onOneLine }
        return (rows.map { "\($0.padded(to: 8))  \($1)" } + notes.map { "\(paint.doubtful("note"))      \($0)" })
            .joined(separator: "\n")
    }

    private static func name(of user: Int64) -> String? {
        guard let user = UInt32(exactly: user), let record = getpwuid(user) else { return nil }
        return String(cString: record.pointee.pw_name).onOneLine
    }

    private static func number<Number: FixedWidthInteger>(
        _ text: String, _ option: String
    ) throws(Failure) -> Number {
        guard let number = Number(text), number >= 0 else {
            throw Failure.usage(
                "\(option) \(text) is not a \(option == "--pid" ? "process ID" : "user ID").", Verb.policyExplain)
        }
        return number
    }
}
