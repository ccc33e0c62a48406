// The command line's entry.

import FoundationEssentials
import Glibc

TerminalConsole.occupyStandardDescriptors()
signal(SIGPIPE, SIG_IGN)
// libdispatch would tell the system's log that an unprivileged user may not raise the priority of a thread.
setenv("LIBDISPATCH_LOG", "NO", 0)
let program = Program(
    words: Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment,
    console: TerminalConsole())
exit(await program.run().rawValue)
