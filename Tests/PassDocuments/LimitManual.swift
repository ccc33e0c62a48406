// The limits of clients in troff, for passd(7), from the settings and the code.

import Dispatch
import PassConfiguration
import PassJSON
import PassServer
import PassWire

enum LimitManual {
    private static let own = ConnectionLimits()
    private static let stranger = ConnectionLimits().forStranger

    /// The limits of one connection and of the connections of one user.
    static var limits: String {
        let memory = Quotas.maxMemory(messageSize: own.messageSize)
        return [
            (
                "Message",
                "\(Roff.bold("message-size")) (\(size(own.messageSize))), \(size(stranger.messageSize)). A larger "
                    + "message closes the connection."
            ),
            (
                "JSON values in a message",
                "\(own.json.values), \(stranger.json.values). Depth: \(own.json.depth)."
            ),
            (
                "Unanswered calls of a connection",
                "\(Roff.bold("pending-calls-per-session")) (\(own.pendingCalls)), \(stranger.pendingCalls)."
            ),
            (
                "Connections of a user",
                "\(Roff.bold("sessions-per-user")) (\(setting("sessions-per-user"))) on each socket; "
                    + "\(Quotas.maxStrangers) for all peers without a stanza together."
            ),
            (
                "Unread output",
                "\(size(own.outputBuffer)), \(size(stranger.outputBuffer)). The daemon closes a connection that has "
                    + "more unread output, or whose client reads nothing for \(seconds(own.stallTime)) s "
                    + "(\(seconds(stranger.stallTime)) s)."
            ),
            (
                "Memory of all connections of a user",
                "\(size(memory)); \(size(Quotas.maxStrangerMemory)) for all peers without a stanza together; "
                    + "\(size(memory * Quotas.fullAccounts)) for all users together. Unfinished messages, calls in "
                    + "progress and unread answers use this memory.\nAbove one of these limits, the daemon closes connections."
            ),
        ]
        .map { ".TP\n\($0.0)\n\($0.1)\n" }.joined()
    }

    /// The limits of unanswered calls.
    static var calls: String {
        let (user, part) = (Quotas.maxCalls, CallShare.part)
        return """
            If a limit of unanswered calls is reached, the daemon does not refuse further calls. Instead, the daemon stops \
            reading from the connection until an earlier call is answered.
            Each user may have \(user) unanswered calls, and each operator \(Quotas.maxAdminCalls) on the admin socket. All \
            peers without a stanza together may have \(Quotas.maxStrangerCalls), and all clients together \
            \(user * Quotas.fullAccounts).
            An app may have at most \(part)/\(part + 1) of the calls that the user's other apps leave. This is \
            \(user * part / (part + 1)) calls if the other apps have no unanswered call.
            There are two exceptions. A user may have \(CallRooms.alwaysGranted) unanswered calls even if all clients together \
            have reached their limit. An app without an unanswered call may make one call even if these limits are reached, \
            until its user has \(user + CallRoom.excess(over: user)) unanswered calls.

            """
    }

    private static func setting(_ key: String) -> String {
        SettingTable.find(Setting.Name("limits", key))?.defaultValue ?? ""
    }

    private static func size(_ bytes: Int) -> String {
        bytes < 1 << 20 ? "\(bytes >> 10) KiB" : "\(bytes >> 20) MiB"
    }

    private static func seconds(_ time: DispatchTimeInterval) -> Int {
        if case .seconds(let count) = time { count } else { 0 }
    }
}
