// `pass-sandbox service-token`: prints a token that names a subscriber, for single sign-on.

import PassArguments
import PassJSON
import PassSandbox

extension Verb {
    static let serviceToken = Verb(
        "service-token", "print a service token for a subscriber", operands: [Operand("SUBSCRIBER")],
        details: """
            It is a signed JWT for the AD-Service-Token header. Apps that send
            tokens for the same subscriber share a login. The running sandbox signs it; with --state or --seed it is
            signed without a server, and every server with the same file or seed accepts it.
            """,
        options: [.server, .authority, .catalogue, .state, .seed]
    ) { arguments in
        if let files = try offline(arguments) {
            try Terminal.say(
                OfflineSandbox.serviceToken(
                    subscriber: arguments.operands[0], catalogue: files.catalogue, state: files.state,
                    seed: files.seed))
            return .done
        }
        try Terminal.say(
            ControlClient(arguments).send(
                "/sandbox/service-token", ["subscriber": .string(arguments.operands[0])], wanting: "serviceToken"
            ).value)
        return .done
    }
}
