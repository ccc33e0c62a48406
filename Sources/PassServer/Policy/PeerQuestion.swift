// Finds out what `policy explain` is asked about: a process that runs, or one that is described.

import PassProtocol
import PassSystem

extension ServerParts {
    func facts(about question: PolicyExplain.Params) throws(RPCError) -> PeerFacts {
        switch (question.pid, question.uid) {
        case (nil, let user?):
            return PeerFacts(
                user: user, groups: groups(user), executable: question.executable, unit: question.unit)
        case (let process?, nil):
            guard let found = ProcessSight(of: process) else {
                var error = RPCError.invalidParams(
                    SchemaFault(path: "pid", expected: "a process that runs", found: "\(process), which does not"))
                error.message = "No process has the number \(process)."
                error.remedy =
                    "ps -e lists the processes that run. One that does not run is described by uid, unit and executable."
                throw error
            }
            return PeerFacts(
                user: found.user, groups: found.groups, executable: question.executable ?? found.executable,
                unit: question.unit ?? found.unit?.system)
        default:
            throw .invalidParams(SchemaFault(path: "uid", expected: "either uid or pid", found: "both or neither"))
        }
    }
}
