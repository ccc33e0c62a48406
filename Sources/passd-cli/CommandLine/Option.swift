// The options that every verb takes.

import PassArguments

extension Option {
    static let socket = Option(
        "--socket", "PATH", help: "use this socket of the daemon, and admin.sock in the same directory")
    static let instance = Option(
        "--instance", "NAME", help: "use the daemon of the instance NAME on this host",
        details: "Short for --socket /run/passd@NAME/passd.sock.", excludes: ["--socket"])
    static let requestor = Option(
        "--requestor", "ID", help: "act for this requestor",
        details: """
            A requestor is the service's name for a channel or app brand. The default is the variable PASSD_REQUESTOR. \
            If it is not set and policy allows only one requestor, this requestor is the default.
            """,
        known: "requestors")
    static let json = Option(
        "--json", help: "print the answer as one JSON object",
        details: """
            The object is one line: {"passd":{"format":1,"version":"…"},"kind":KIND,"data":DATA}. KIND is the verb, \
            and DATA is its result. If the verb fails, KIND is error, and DATA describes the error.
            """)
    static let timeout = Option(
        "--timeout", "SECONDS", help: "wait at most this long for each answer; default: \(usualTimeout)",
        details: "This does not limit how long a viewer may take to sign in.")
    static let noColor = Option(
        "--no-color", help: "print without colours, as with NO_COLOR",
        details: "Only output to a terminal has colours.")

    /// The default of `--timeout`, in seconds.
    static let usualTimeout = 40
}
