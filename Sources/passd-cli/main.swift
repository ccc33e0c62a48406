// The command line's entry.

import FoundationEssentials
import Glibc

TerminalConsole.occupyStandardDescriptors()
signal(SIGPIPE, SIG_IGN)
let program = Program(
    words: Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment,
    console: TerminalConsole())
exit(await program.run().rawValue)
