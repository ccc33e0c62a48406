// What `passd-cli doctor` prints, by its own code. Apart from the other tests, since both programs have types of the same names.

import PassJSON

@testable import passd_cli

enum PrintedChecks {
    static func text(of result: JSONValue) -> String { Verb.doctorText(result, Paint(isOn: false)) }
}
