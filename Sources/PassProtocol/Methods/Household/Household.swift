// What a home screen shows about the viewers' logins, and how a viewer signs out there. The answers have no titles that were
// watched, no user IDs, no requestors and no codes. rpc.md §6.

import PassJSON

public enum Household: RPCMethod {
    private static let appName = "The name of the app's stanza."
    private static let title = Member.optional("title", .string, summary: "The title in the app's stanza, for screens.")

    private static let login = Schema.object([
        .required("provider", .component(MVPD.component)),
        .required(
            "kind", .string,
            summary: "The kind of the oldest of these logins, like type in checkAuthentication's "
                + "result."
        ),
        .optional("since", .time, summary: "When the oldest of these logins was made. Absent: unknown."),
        .required("until", .time, summary: "When the first of these logins ends: an app then has to sign in again."),
        .required(
            "apps",
            .array(
                .object([
                    .required("name", .string, summary: appName), title,
                    .optional(
                        "lastUsed", .time,
                        summary: "When the app last used this login. Absent: not since passd started."),
                ])), summary: "The apps that use the login, the most recently used first."),
    ])

    public static let definition = MethodDefinition(
        "passd.household",
        "Shows who is signed in on the box, which apps use each login, and for which apps a code is open.",
        result: .object([
            .required("signedIn", .boolean, summary: "Whether any login on the box is valid."),
            .required("logins", .array(login), summary: "The valid logins, one entry for each provider."),
            .required(
                "openCodes",
                .array(.object([.required("app", .string, summary: appName), title, .required("expires", .time)])),
                summary: "The apps with open codes. The codes themselves are not included."),
        ]),
        capability: .household,
        example: .init(
            [:],
            [
                "signedIn": true,
                "logins": [
                    [
                        "provider": ["id": "cablevista", "displayName": "CableVista", "logoURL": ""],
                        "kind": "regular", "since": 1_760_000_000_000, "until": 1_762_592_000_000,
                        "apps": [["name": "lumen", "title": "Lumen TV", "lastUsed": 1_760_003_600_000]],
                    ]
                ], "openCodes": [["app": "news24", "expires": 1_760_001_800_000]],
            ]))
}

/// Signs the viewer out of the box, from a home screen. It ends the same logins and codes as `passd.logoutAll`.
public enum SignOut: RPCMethod {
    public static let definition = MethodDefinition(
        "passd.signOut",
        "Signs the viewer out of all apps, on the box and at the service, and ends the codes that no app shows. "
            + "Waits at "
            + "most 15 s for the service. passd reports the remaining logouts again later.",
        result: .object(
            Forget.members + [
                .optional(
                    "untold", .integer(1...Int64.max),
                    summary: "How many logouts the service has not accepted yet. Absent: none."),
                .optional(
                    "onPlatform", .array(.string),
                    summary:
                        "The providers of the box's TV account with which apps were signed in: their names, or their IDs "
                        + "if passd does not know the names. The account stays signed in, and an app signs in with it at its "
                        + "next start. Absent: no app was signed in with the account."),
            ]),
        capability: .household, callbacks: ["setAuthenticationStatus", "event"],
        example: .init([:], ["forgotten": 2]))
}
