// The table of callbacks: what each notification carries. rpc.md §5, §6.

public struct CallbackDefinition: Sendable {
    public let name: String
    public let summary: String
    public let params: [Member]
    public let since: String

    init(_ name: String, _ summary: String, _ params: [Member], since: String = "1.0") {
        self.name = name
        self.summary = summary
        self.params = params
        self.since = since
    }

    public var schema: Schema { .object(params) }
}

public enum CallbackTable {
    private static let errorCode = Member.required("errorCode", .component(FlowErrorCode.component))
    private static let status = Member.required("status", .integer(0...1), "1: success.")
    private static let resource = Member.required("resource", .string, "As it was asked for.")
    private static let handle = Member.optional("handle", .string, "Ties both dialog callbacks together.")

    public static let all: [CallbackDefinition] = [
        .init("setRequestorComplete", "The requestor is set, or could not be.", [status]),
        .init(
            "setAuthenticationStatus", "The viewer is logged in, or not.",
            [
                status, errorCode,
                .optional(
                    "reason", .enumeration(Callback.Reason.allCases.map(\.rawValue)),
                    "sso: another app logged in. logout: here or elsewhere."),
            ]),
        .init(
            "displayProviderDialog", "Show the providers, then call setSelectedProvider.",
            [.required("providers", .array(.component(MVPD.component)))]),
        .init(
            "navigateToUrl", "Open a browser on this address.",
            [
                .required("url", .string(format: "uri")),
                .optional("useSVC", .boolean, "The provider wants the secure browser."),
            ]),
        .init(
            "status", "Advanced status; unordered beside the other callbacks.",
            [
                .required("errorId", .string, "The SDK's status code; REGCODE brings the second screen's code."),
                .required("level", .enumeration(SDKStatus.Level.allCases.map(\.rawValue))),
                .required("message", .string), .optional("code", .string, "What the viewer types."),
                .optional("url", .string(format: "uri"), "Where."), .optional("expires", .time),
                .optional("resource", .string), .optional("details", .any),
            ]),
        .init("setToken", "A fresh media token.", [.required("token", .string), resource]),
        .init(
            "tokenRequestFailed", "No media token for this resource.",
            [
                resource, errorCode, .required("errorDescription", .string, "The provider's words, or empty."),
                .optional("error", .component(EnhancedError.component)),
            ]),
        .init(
            "selectedProvider", "The chosen provider.",
            [
                .required("provider", .nullable(.component(MVPD.component))),
                .required("state", .enumeration(GetSelectedProvider.State.allCases.map(\.rawValue))),
            ]),
        .init("preauthorizedResources", "The permitted ones.", [.required("resources", .array(.string))]),
        .init("setMetadataStatus", "The metadata that was asked for.", GetMetadata.resultMembers),
        .init(
            "sendTrackingData", "For the app's analytics.",
            [
                .required("event", .enumeration(TrackingEvent.allCases.map(\.rawValue))),
                .required("data", .array(.string), "By position; inapplicable ones are empty."),
            ]),
        .init("presentTvProviderDialog", "The platform's dialog is about to show.", [handle]),
        .init("dismissTvProviderDialog", "The platform's dialog is gone.", [handle]),
        .init("event", "What a subscriber hears.", Event.members),
    ]

    public static func find(_ name: String) -> CallbackDefinition? { all.first { $0.name == name } }
}
