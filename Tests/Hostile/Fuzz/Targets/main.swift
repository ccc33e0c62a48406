// The fuzzer's program: `FUZZ_TARGET=frames fuzz [libFuzzer's options] [directories or inputs]`. The environment has
// the target's name, because libFuzzer restarts itself to merge and to minimise, and then passes on only its own
// options.

import CFuzzer
import Glibc

guard let target = getenv("FUZZ_TARGET").flatMap({ targets[String(cString: $0)] }) else {
    complain("usage: FUZZ_TARGET=NAME fuzz …; NAME is one of: \(targets.keys.sorted().joined(separator: " "))")
    exit(64)
}
Chosen.target = target

var count = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
exit(
    LLVMFuzzerRunDriver(&count, &arguments) { start, count in
        Chosen.fuzz(UnsafeBufferPointer(start: start, count: count))
        return 0
    })
