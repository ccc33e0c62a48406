// `pass-sandbox statement`: prints the software statement that an app registers with.

import PassArguments
import PassJSON
import PassSandbox

extension Verb {
    static let statement = Verb(
        "statement", "print a software statement for an app of the catalogue", operands: [Operand("APP")],
        details: """
            It is a signed JWT. The running sandbox signs it; with
            --state or --seed it is signed without a server, and every server with the same file or seed accepts it.
            """,
        options: [.server, .authority, .catalogue, .state, .seed]
    ) { arguments in
        if let files = try offline(arguments) {
            try Terminal.say(
                OfflineSandbox.statement(
                    app: arguments.operands[0], catalogue: files.catalogue, state: files.state, seed: files.seed))
            return .done
        }
        try Terminal.say(
            ControlClient(arguments).send(
                "/sandbox/statement", ["app": .string(arguments.operands[0])], wanting: "statement"
            ).value)
        return .done
    }
}
