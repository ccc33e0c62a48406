// The command line's entry.

import Dispatch
import FoundationEssentials
import Glibc

TerminalConsole.occupyStandardDescriptors()
signal(SIGPIPE, SIG_IGN)
let program = Program(
    words: Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment,
    console: TerminalConsole())
// Not as the main task, whose urgency only root's threads may have: each call of a user would leave a line of
// libdispatch's in the journal.
Task.detached(priority: .medium) { exit(await program.run().rawValue) }
dispatchMain()
