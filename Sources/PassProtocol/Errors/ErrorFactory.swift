// Makes the errors of the table (rpc.md §2). Each row of the table has one function, so the same failure always has the same
// text.

public import PassJSON

extension RPCError {
    public static func parseError(_ reason: String) -> RPCError {
        RPCError(
            .parseError, "The message is not JSON: \(reason).",
            remedy: "Send one JSON value per message, in UTF-8, as RFC 8259 describes it.", details: .string(reason))
    }

    public static func invalidRequest(_ reason: String, limit: Int? = nil) -> RPCError {
        RPCError(
            .invalidRequest, "The message is not a request: \(reason).",
            remedy: "Send {\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"…\", \"params\": {…}}.",
            details: .string(reason), limit: limit)
    }

    public static func messageTooLarge(limit: Int) -> RPCError {
        RPCError(
            .invalidRequest, "The message is larger than \(limit) bytes.",
            remedy: "Send smaller messages, or raise message-size in the configuration.", limit: limit)
    }

    public static func methodNotFound(_ name: String, nearest: String? = nil) -> RPCError {
        RPCError(
            .methodNotFound, "There is no method \"\(shown(name))\".",
            remedy: (nearest.map { "Did you mean \"\($0)\"? " } ?? "") + "rpc.discover lists the methods.")
    }

    public static func otherSocket(_ name: String) -> RPCError {
        RPCError(
            .methodNotFound, "The method \"\(shown(name))\" is not available on this socket.",
            remedy: "Connect to the admin socket.", details: ["socket": "admin"])
    }

    public static func invalidParams(_ fault: SchemaFault) -> RPCError {
        let meant = fault.misspelling.map { "Did you mean \"\(fault.path)\" by \"\($0)\"? " } ?? ""
        return RPCError(
            .invalidParams, "\(fault).",
            remedy: meant + "Correct this value; rpc.discover has the schema of the params.",
            details: fault.json)
    }

    public static func positionalParams() -> RPCError {
        invalidParams(SchemaFault(path: "params", expected: "an object with named members", found: "an array"))
    }

    public static func internalError(trace: String? = nil) -> RPCError {
        RPCError(
            .internalError, "The daemon failed to carry out this call.",
            remedy: "Try again; the journal has the details.",
            trace: trace)
    }

    /// Makes the error of an import whose backup is unusable. `reason` and `remedy` are sentences.
    public static func badBackup(_ reason: String, remedy: String) -> RPCError {
        RPCError(.invalidParams, reason, remedy: remedy, details: ["path": "params.backup"])
    }

    /// Makes the error of a store that cannot do the operation now. `reason` and `remedy` are sentences.
    public static func unfitStore(_ reason: String, remedy: String, limit: Int? = nil) -> RPCError {
        RPCError(.internalError, reason, remedy: remedy, limit: limit)
    }

    /// Makes the error of a refusal by policy. `reason` contains nothing that the peer must not know. `remedy` is a
    /// sentence.
    public static func denied(_ reason: String, remedy: String) -> RPCError {
        RPCError(.denied, "\(reason).", remedy: remedy)
    }

    /// Makes the error of a reached limit. `quota` is the limit's name, such as a key of the section [limits] of the
    /// configuration.
    public static func limit(_ quota: String, maximum: Int, retryAfter: Int? = nil) -> RPCError {
        let isAboutConnections = quota.hasPrefix("sessions-") || quota.hasPrefix("memory-")
        return RPCError(
            .limit, "The limit \(quota) of \(maximum) is reached.",
            remedy: isAboutConnections
                ? "Close connections that you do not need." : "Wait until earlier calls are answered.",
            action: .retry, retryAfter: retryAfter, details: ["limit": .string(quota), "maximum": .int(maximum)])
    }

    public enum Readiness: String, Sendable { case starting, reloading, stopping }

    public static func notReady(_ state: Readiness) -> RPCError {
        RPCError(
            .notReady, "The daemon is \(state.rawValue).", remedy: "Try again in a moment.", action: .retry,
            retryAfter: 1, details: ["state": .string(state.rawValue)])
    }

    /// Makes the error of a call in a session without a requestor. If the call was a logout, it may have ended logins of this
    /// box although it fails. `isDurable` says whether their end is on the disk.
    public static func requestorNotSet(isDurable: Bool = true) -> RPCError {
        RPCError(
            .requestorNotSet, "This session has no requestor.", remedy: "Call setRequestor first; it must succeed.",
            action: .configuration, details: isDurable ? nil : ["durable": false])
    }

    public static func unanswered(
        _ status: SDKStatus, _ message: String? = nil, remedy: String? = nil, action: ErrorAction? = nil,
        retryAfter: Int? = nil, trace: String? = nil, details: JSONValue? = nil
    ) -> RPCError {
        RPCError(
            .unanswered(status), message ?? "\(status.meaning).", remedy: remedy ?? status.remedy, action: action,
            retryAfter: retryAfter, trace: trace, details: details)
    }

    public static func flowConflict(_ reason: String) -> RPCError {
        RPCError(
            .flowConflict, "\(reason).",
            remedy: "Finish the open login, or cancel it with setSelectedProvider and providerID null.")
    }

    /// Shortens a method's name, which comes from the client and may be long.
    private static func shown(_ name: String) -> String { name.count <= 64 ? name : name.prefix(63) + "…" }
}
