// Two methods: one shows the configuration in force, with the origin of each value; the other reads the files again. Of an
// address, only scheme, host and port are shown. Of a software statement, only the source is shown. rpc.md §7.

public import PassJSON

public enum ConfigurationInForce: RPCMethod {
    private static let place = "\"file:line\", \"default\", or a flag of the command line."

    private static let settingMembers: [Member] = [
        .required("section", .string), .required("key", .string),
        .required("value", .string, summary: "If it is an address: only scheme, host and port."),
        .required("default", .string),
        .required("origin", .string, summary: place),
        .required("isChanged", .boolean, summary: "Whether the value differs from the default."),
        .required("effect", .string, summary: "When a change takes effect."),
        .optional(
            "inFiles", .object([.required("value", .string), .required("origin", .string)]),
            summary: "The value in the files now, if it differs from the value in force."),
    ]

    private static let appMembers: [Member] = [
        .required("name", .string), .optional("title", .string),
        .required("origin", .string, summary: "Where the stanza begins."),
        .required("requestors", .array(.string)),
        .required("statement", .string, summary: "Where the software statement is, but not the statement itself."),
        .required("allow", .array(.string)),
        .required("may", .array(.words(Capability.self))),
        .required("origins", .map(.string), summary: "Where each key was set, by its name in the files. \(place)"),
        .optional("activationURL", .string), .optional("domainName", .string), .optional("redirectURL", .string),
        .optional("finishURL", .string),
    ]

    public static let definition = MethodDefinition(
        "passd.configuration",
        "Shows the settings and app stanzas in force, the origin of each value, and how the files differ "
            + "now.",
        result: .object([
            .required("settings", .array(.object(settingMembers))),
            .required("apps", .array(.object(appMembers))),
            .required(
                "differences", .array(.string),
                summary: "App stanzas that differ in the files now, and the errors in the files."),
        ]),
        capability: .admin,
        example: .init(
            [:],
            [
                "settings": [
                    [
                        "section": "backend", "key": "origin", "value": "https://service.example", "default": "none",
                        "origin": "/etc/passd/passd.conf:12", "isChanged": true, "effect": "after a restart",
                    ]
                ],
                "apps": [
                    [
                        "name": "news24", "origin": "/etc/passd/apps.d/news24.conf:1", "requestors": ["NEWS24"],
                        "statement": "file:/etc/passd/news24.jwt", "allow": ["user:news24"], "may": ["entitlement"],
                        "origins": [
                            "requestors": "/etc/passd/apps.d/news24.conf:2",
                            "software-statement": "/etc/passd/apps.d/news24.conf:3",
                            "allow": "/etc/passd/apps.d/news24.conf:4", "may": "default",
                        ],
                    ]
                ], "differences": [],
            ]))
}

/// Reads the configuration again. rpc.md §7.
public enum Reload: RPCMethod {
    public static let definition = MethodDefinition(
        "passd.reload", "Reads the configuration again. A configuration with errors changes nothing.",
        result: .object([
            .required("applied", .boolean),
            .required("problems", .array(.string), summary: "Each as \"file:line: problem\"."),
            .required("changed", .array(.string), summary: "The settings and apps that took effect, and when."),
            .required("waiting", .array(.string), summary: "The settings that wait for a restart."),
        ]),
        capability: .admin, callbacks: ["event"],
        example: .init([:], ["applied": true, "problems": [], "changed": ["app news24: changed"], "waiting": []]))

    /// The result of a reload. Each problem is like `file:line: problem`.
    public static func result(
        isApplied: Bool, problems: [String] = [], changed: [String] = [], waiting: [String] = []
    ) -> JSONValue {
        [
            "applied": .bool(isApplied), "problems": .strings(problems), "changed": .strings(changed),
            "waiting": .strings(waiting),
        ]
    }
}
