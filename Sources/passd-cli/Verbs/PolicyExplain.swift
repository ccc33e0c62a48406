// `policy explain`: tells why a peer may or may not call a method, without being that peer.

import Glibc
import PassClient
import PassProtocol

extension Option {
    static let uid = Option(name: "--uid", value: "UID", help: "the user of the process; default: yourself")
    static let unit = Option(name: "--unit", value: "UNIT", help: "the systemd unit of the process")
    static let executable = Option(name: "--executable", value: "PATH", help: "the program that the process runs")
}

extension Verb {
    static let policyExplain = Verb(
        name: "policy explain", summary: "show what policy decides about a process, and by which rule",
        operands: [.method()], options: [.uid, .unit, .executable],
        details: "With --requestor, the call is for that requestor. Exits with 3 if it would be denied."
    ) { invocation in
        let arguments = invocation.arguments
        let uid = try arguments[.uid].map { text throws(Failure) in try number(text) } ?? getuid()
        let result = try await invocation.connect(.admin).call(
            PolicyExplain.self,
            .init(
                uid: uid, unit: arguments[.unit], executable: arguments[.executable], method: arguments.operands[0],
                requestorID: invocation.requestor))
        return Outcome(
            exit: result["allowed"]?.bool == true ? .done : .no, data: result, text: Table.lines(result))
    }

    private static func number(_ text: String) throws(Failure) -> UInt32 {
        guard let uid = UInt32(text) else {
            throw Failure.usage("--uid \(text) is not a user ID.", Verb.policyExplain)
        }
        return uid
    }
}
