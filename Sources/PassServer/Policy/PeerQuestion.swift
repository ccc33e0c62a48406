// Finds the facts about the process in a question of `policy explain`. The question has the number of a running process, or
// describes a process.

import AccessEnabler
import PassProtocol
import PassSystem

extension ServerParts {
    @EngineActor func facts(about question: PolicyExplain.Params) throws(RPCError) -> PeerFacts {
        let origin = try origin(of: question)
        switch (question.pid, question.uid) {
        case (nil, let user?):
            return PeerFacts(
                user: user, groups: groups(user), unit: question.unit, socket: question.socket, origin: origin)
        case (let process?, nil):
            guard let user = ProcessFacts.user(of: process) else {
                var error = RPCError.invalidParams(
                    SchemaFault(path: "pid", expected: "a process that runs", found: "\(process), which does not"))
                error.message = "No process has the number \(process)."
                error.remedy =
                    "ps -e lists the running processes. If the process does not run, describe it with uid and unit."
                throw error
            }
            return PeerFacts(
                user: user, groups: ProcessFacts.groups(of: process),
                unit: question.unit ?? ProcessFacts.unit(of: process)?.system, socket: question.socket, origin: origin)
        default:
            throw .invalidParams(SchemaFault(path: "uid", expected: "either uid or pid", found: "both or neither"))
        }
    }

    private func origin(of question: PolicyExplain.Params) throws(RPCError) -> WebOrigin? {
        guard let text = question.origin else { return nil }
        do throws(WebOrigin.Fault) { return try WebOrigin(text) } catch {
            var fault = RPCError.invalidParams(
                SchemaFault(path: "origin", expected: "an origin", found: "another text"))
            fault.message = "The origin is not valid: \(error)."
            throw fault
        }
    }
}
