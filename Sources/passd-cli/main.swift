// The entry point of the program.

import Glibc
import PassArguments

Descriptors.occupyStandard()
signal(SIGPIPE, SIG_IGN)
// Without this, libdispatch reports to the system's log that an unprivileged user may not raise a thread's priority.
setenv("LIBDISPATCH_LOG", "NO", 0)
let environment = Environment.current()
let program = Program(
    words: Array(CommandLine.arguments.dropFirst()), environment: environment,
    console: TerminalConsole(environment: environment))
exit(await program.run().rawValue)
