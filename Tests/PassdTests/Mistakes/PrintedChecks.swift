// Prints checks as `passd-cli doctor` does, with its own code. It is in a file of its own, since both programs have
// types of the same names.

import PassJSON

@testable import passd_cli

enum PrintedChecks {
    static func text(of result: JSONValue) -> String { Verb.doctorText(result, Paint(isOn: false)) }
}
