// Shows the configuration in force, and the origin of each value. Addresses are cut to scheme, host and port, and software
// statements are only named. rpc.md §7.

public import PassJSON

public enum ConfigurationInForce: RPCMethod {
    public typealias Params = NoParams

    private static let place = "As \"file:line\"; \"default\", or a flag of the command line."

    public static let definition = MethodDefinition(
        "passd.configuration",
        "Shows the settings and app stanzas in force, where each comes from, and how the files differ now.",
        result: .object([
            .required("settings", .array(.object(Setting.members))),
            .required("apps", .array(.object(App.members))),
            .required(
                "differences", .array(.string),
                summary: "App stanzas that differ in the files now, and what is wrong with the files."),
        ]),
        capability: .admin, socket: .admin,
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

    public struct Setting: Sendable, Equatable {
        public var section: String
        public var key: String
        public var value: String
        public var defaultValue: String
        public var origin: String
        /// Whether it differs from the default.
        public var isChanged: Bool
        public var effect: String
        /// The value in the files now, if it differs.
        public var inFiles: (value: String, origin: String)?

        public init(
            section: String, key: String, value: String, defaultValue: String, origin: String, isChanged: Bool,
            effect: String, inFiles: (value: String, origin: String)? = nil
        ) {
            self.section = section
            self.key = key
            self.value = value
            self.defaultValue = defaultValue
            self.origin = origin
            self.isChanged = isChanged
            self.effect = effect
            self.inFiles = inFiles
        }

        public static func == (left: Setting, right: Setting) -> Bool { left.json == right.json }

        static let members: [Member] = [
            .required("section", .string), .required("key", .string),
            .required("value", .string, summary: "An address is cut to scheme, host and port."),
            .required("default", .string),
            .required("origin", .string, summary: place),
            .required("isChanged", .boolean, summary: "Whether it differs from the default."),
            .required("effect", .string, summary: "When a change takes effect."),
            .optional(
                "inFiles", .object([.required("value", .string), .required("origin", .string)]),
                summary: "The value in the files now, if it differs."),
        ]

        var json: JSONValue {
            .members([
                "section": .string(section), "key": .string(key), "value": .string(value),
                "default": .string(defaultValue), "origin": .string(origin), "isChanged": .bool(isChanged),
                "effect": .string(effect),
                "inFiles": inFiles.map { ["value": .string($0.value), "origin": .string($0.origin)] },
            ])
        }
    }

    public struct App: Sendable, Equatable {
        public var name: String
        public var origin: String
        public var requestors: [String]
        /// Where the software statement is, or that there is none.
        public var statement: String
        public var allow: [String]
        public var may: [String]
        /// Where each key was set, by the names that the keys have in the files.
        public var origins: [(key: String, place: String)]
        public var activationURL: String?
        public var domainName: String?
        public var redirectURL: String?
        public var finishURL: String?

        public init(
            name: String, origin: String, requestors: [String], statement: String, allow: [String], may: [String],
            origins: [(key: String, place: String)]
        ) {
            self.name = name
            self.origin = origin
            self.requestors = requestors
            self.statement = statement
            self.allow = allow
            self.may = may
            self.origins = origins
        }

        public static func == (left: App, right: App) -> Bool { left.json == right.json }

        static let members: [Member] = [
            .required("name", .string), .required("origin", .string, summary: "Where the stanza begins."),
            .required("requestors", .array(.string)),
            .required("statement", .string, summary: "Where the software statement is, never the statement."),
            .required("allow", .array(.string)),
            .required("may", .array(.enumeration(Capability.allCases.map(\.rawValue)))),
            .required("origins", .map(.string), summary: "Where each key was set, by its name in the files. \(place)"),
            .optional("activationURL", .string), .optional("domainName", .string), .optional("redirectURL", .string),
            .optional("finishURL", .string),
        ]

        fileprivate var json: JSONValue {
            .members([
                "name": .string(name), "origin": .string(origin), "requestors": .strings(requestors),
                "statement": .string(statement), "allow": .strings(allow), "may": .strings(may),
                "origins": .object(JSONObject(origins.map { ($0.key, .string($0.place)) })),
                "activationURL": activationURL.map(JSONValue.string), "domainName": domainName.map(JSONValue.string),
                "redirectURL": redirectURL.map(JSONValue.string), "finishURL": finishURL.map(JSONValue.string),
            ])
        }
    }

    public struct Result: MethodResult {
        public var settings: [Setting]
        public var apps: [App]
        public var differences: [String]

        public init(settings: [Setting], apps: [App], differences: [String]) {
            self.settings = settings
            self.apps = apps
            self.differences = differences
        }

        public var json: JSONValue {
            [
                "settings": .array(settings.map(\.json)), "apps": .array(apps.map(\.json)),
                "differences": .strings(differences),
            ]
        }
    }
}
