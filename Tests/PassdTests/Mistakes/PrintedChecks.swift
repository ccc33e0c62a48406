// Prints checks with the code of `passd-cli doctor`. This needs a file of its own, because both programs have types
// with the same names.

import PassJSON

@testable import PassCLI

enum PrintedChecks {
    static func text(of result: JSONValue) -> String { Verb.doctorText(result, Paint(isOn: false)) }
}
