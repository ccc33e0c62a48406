// The options that every verb takes.

import PassArguments

extension Option {
    static let socket = Option(
        "--socket", "PATH", help: "the daemon's socket; the admin socket is admin.sock beside it")
    static let instance = Option(
        "--instance", "NAME", help: "the daemon of the instance NAME of this host",
        details: "Short for --socket /run/passd@NAME/passd.sock.", excludes: ["--socket"])
    static let requestor = Option(
        "--requestor", "ID", help: "act for this requestor",
        details: "The default is the value of PASSD_REQUESTOR, else the only requestor that policy allows.",
        known: "requestors")
    static let json = Option(
        "--json", help: "print the answer as one JSON object",
        details: """
            The object is one line: {"passd":{"format":1,"version":"…"},"kind":KIND,"data":DATA}. KIND is the verb, \
            and DATA its result. If the verb fails, KIND is error, and DATA describes the error.
            """)
    static let timeout = Option(
        "--timeout", "SECONDS", help: "wait at most this long for each answer; default: \(usualTimeout)",
        details: "The viewer may take longer to sign in.")
    static let noColor = Option(
        "--no-color", help: "print without colours, as with NO_COLOR",
        details: "Without a terminal, there are never colours.")

    /// The default of `--timeout`, in seconds.
    static let usualTimeout = 40
}
