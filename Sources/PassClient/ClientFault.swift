// The errors of the library. Each has a stable name, a sentence with the cause, and a remedy.

import Glibc
public import PassJSON
public import PassProtocol
import PassWire

/// An error of the library. Show `message` and `remedy` to people. In Swift, branch on the case. If you pass the error on as
/// JSON, its reader can branch on the name (`data.code`).
public enum ClientFault: Error, Sendable, Equatable {
    /// The daemon answered with an error.
    case refused(RPCError)
    /// No daemon serves the socket.
    case unreachable(path: String, reason: String)
    /// This user may not open the socket, or may not enter a directory on its path.
    case forbidden(path: String, directory: String? = nil)
    /// The daemon closed the connection or died.
    case gone(reason: String)
    /// This program closed the connection.
    case closed
    /// The daemon sent an unusable message.
    case broken(reason: String)
    /// This program left more callbacks unread than the limit.
    case overrun(limit: Int)
    /// No answer came within this time. The daemon may still carry out the call.
    case timedOut(Duration)
    /// The task that waited for the answer was cancelled.
    case cancelled
    /// This connection has too many waiting calls.
    case overloaded(limit: Int)

    init(_ error: ClientError, path: String = "", time: Duration) {
        self =
            switch error {
            case .refused(let error), .disconnected(.refused(let error)): .refused(error)
            case .unreachable(let error) where error.errno == EACCES || error.errno == EPERM:
                .forbidden(path: path, directory: Self.closedDirectory(on: path))
            case .unreachable(let error): .unreachable(path: path, reason: error.description)
            case .disconnected(.closedByUs): .closed
            case .disconnected(.closedByDaemon), .disconnected(.failed), .disconnected(.outputOverflow):
                .gone(reason: error.description)
            case .disconnected(.notificationsUnread(let limit)): .overrun(limit: limit)
            case .disconnected(.notUnderstood): .broken(reason: error.description)
            case .timedOut: .timedOut(time)
            case .cancelled: .cancelled
            case .tooManyCalls(let limit): .overloaded(limit: limit)
            }
    }

    /// What happened, in one sentence.
    public var message: String {
        switch self {
        case .refused(let error): error.message
        case .unreachable(let path, let reason): "passd cannot be reached at \(path): \(reason)."
        case .forbidden(let path, nil): "This user may not connect to \(path)."
        case .forbidden(let path, let directory?): "This user may not enter \(directory), so \(path) cannot be reached."
        case .gone(let reason), .broken(let reason): reason.prefix(1).uppercased() + reason.dropFirst() + "."
        case .overrun(let limit): "More than \(limit) callbacks were not read."
        case .closed: "This program closed the connection."
        case .timedOut(let time): "passd did not answer within \(Self.text(time))."
        case .cancelled: "The call was cancelled."
        case .overloaded(let limit): "More than \(limit) calls are waiting for an answer."
        }
    }

    /// What to do about it.
    public var remedy: String {
        switch self {
        case .refused(let error): error.remedy
        case .unreachable(let path, _):
            DaemonSockets.unit(of: path).map {
                "Start passd (see systemctl status \($0)), or set PASSD_SOCKET to the path of its socket."
            }
                ?? "Start the daemon, for example a developer's box with pass-sandbox box. Or set PASSD_SOCKET to the path "
                + "of its socket."
        case .forbidden(_, nil): "Join the group that the socket belongs to, or run this as root."
        case .forbidden(let path, let directory?):
            DaemonSockets.unit(of: path) != nil
                ? "Let this user enter the directory, for example with chmod o+x \(directory)."
                : "Run this as the owner of the directory: a developer's box serves no other user. Another daemon may "
                    + "serve other users after chmod o+x \(directory)."
        case .gone: "Try again; the journal of passd, or passd.log of a developer's box, says why it ended."
        case .closed: "Open a new connection."
        case .broken: "Check that this program and the daemon are from the same release."
        case .overrun: "Read callbacks faster."
        case .timedOut: "Try again, or allow more time."
        case .cancelled, .overloaded: "Try again."
        }
    }

    /// The stable name: the daemon's name for its error, or a name that only this library uses.
    public var name: String {
        switch self {
        case .refused(let error): error.name.text
        case .unreachable: "UNREACHABLE"
        case .forbidden: "FORBIDDEN"
        case .gone: "DISCONNECTED"
        case .closed: "CLOSED"
        case .broken: "NOT_UNDERSTOOD"
        case .overrun: "OVERRUN"
        case .timedOut: "TIMED_OUT"
        case .cancelled: "CANCELLED"
        case .overloaded: "OVERLOADED"
        }
    }

    /// The error as JSON, in the same form as the daemon's errors. Only the daemon's errors have a number.
    public var json: JSONValue {
        if case .refused(let error) = self { return error.json }
        return ["message": .string(message), "data": ["code": .string(name), "remedy": .string(remedy)]]
    }

    /// The first directory on the file's path that this process may not enter; nil if there is none.
    static func closedDirectory(
        on path: String, mayPass: (String) -> Bool = { faccessat(AT_FDCWD, $0, X_OK, AT_EACCESS) == 0 }
    ) -> String? {
        var end = path.startIndex
        while let slash = path[end...].firstIndex(of: "/") {
            let directory = slash == path.startIndex ? "/" : String(path[..<slash])
            if !mayPass(directory) { return directory }
            end = path.index(after: slash)
        }
        return nil
    }

    private static func text(_ time: Duration) -> String {
        let (seconds, attoseconds) = time.components
        // Very long times are shown in seconds only.
        guard attoseconds != 0, (-1_000_000...1_000_000).contains(seconds) else { return seconds.secondsInWords }
        return "\(seconds * 1000 + attoseconds / 1_000_000_000_000_000) ms"
    }
}
