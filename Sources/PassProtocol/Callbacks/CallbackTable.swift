// The table of callbacks, with the params of each. rpc.md §5, §6.

public struct CallbackDefinition: Sendable {
    public let name: String
    public let summary: String
    public let params: [Member]
    public var since = "1.0"

    public var schema: Schema { .object(params) }
}

public enum CallbackTable {
    private static let errorCode = Member.required("errorCode", .component(FlowErrorCode.component))
    private static let status = Member.required("status", .integer(0...1), summary: "1: success.")
    private static let resource = Member.required("resource", .string, summary: "The resource, as the app wrote it.")
    private static let handle = Member.optional("handle", .string, summary: "The same value in both dialog callbacks.")

    public static let all: [CallbackDefinition] = [
        .init(
            name: "setRequestorComplete", summary: "Tells whether setRequestor has succeeded.", params: [status]),
        .init(
            name: "setAuthenticationStatus", summary: "Tells whether the viewer is logged in.",
            params: [
                status, errorCode,
                .optional(
                    "reason", .words(Callback.Reason.self),
                    summary: """
                        sso: another app logged in. logout: any logout. revoked: the provider has ended the login, \
                        or the requestor no longer works with the provider. expired: the login has expired. replaced: \
                        another app has started a sign-in, and the service now knows only the code of that app.
                        """),
                .optional(
                    "outcome", .words(LoginOutcome.Kind.self),
                    summary: """
                        The outcome of a login that this app began; each login has one. authenticated: the viewer is \
                        signed in. cancelled: the viewer or the app gave up, or a logout or another app's sign-in came \
                        first. expired: the code expired. denied: the provider or the service refused. failed: an error, \
                        or the service forgot the code before it expired. Absent if no login of this app ends.
                        """),
                .optional("cause", .string, summary: "With outcome: the reason, as a code of the callback status."),
                .optional("code", .string, summary: "With outcome: the code that the app showed for this login."),
            ]
                + ViewerWords.members(
                    "If nobody is signed in and the viewer has not just signed out, or with reason replaced")),
        .init(
            name: "displayProviderDialog", summary: "Show the providers, then call setSelectedProvider.",
            params: [.required("providers", .array(.component(MVPD.component)))]),
        .init(
            name: "navigateToUrl",
            summary: "Open this address in the app's browser. After the login or logout there, call handleExternalURL.",
            params: [
                .required("url", .string(format: "uri")),
                .optional("useSVC", .boolean, summary: "The provider refuses plain web views: use the secure browser."),
            ]),
        .init(
            name: "status", summary: "Detailed status for logs. It may come before or after the other callbacks.",
            params: [
                .required(
                    "errorId", .string,
                    summary: "A status code of the SDK. With REGCODE, code is the code that the viewer types."),
                .required("level", .words(SDKStatus.Level.self)),
                .required("message", .string), .optional("code", .string, summary: "The code that the viewer types."),
                LoginInvitation.linkMember,
                .optional(
                    "url", .string(format: "uri"), summary: "The page where the viewer types the code, if known."),
                .optional("regcode", .string, summary: "The same as code, under the SDK's name."),
                .optional("registrationURL", .string(format: "uri"), summary: "The same as url, under the SDK's name."),
                .optional("expires", .time, summary: "When the code expires, by the box's clock."), QRPicture.member,
                .optional("resource", .string, summary: "The resource that the status is about."),
                .optional(
                    "action", .string,
                    summary: "The next step. authentication: begin another login with getAuthentication."),
            ]),
        .init(name: "setToken", summary: "A fresh media token.", params: [.required("token", .string), resource]),
        .init(
            name: "tokenRequestFailed", summary: "No media token for this resource.",
            params: [
                resource, errorCode, .required("errorDescription", .string, summary: "The provider's words, or empty."),
                .optional("error", .component(EnhancedError.component)),
            ] + RefusalWords.members),
        .init(
            name: "selectedProvider", summary: "The chosen provider.",
            params: GetSelectedProvider.resultMembers),
        .init(
            name: "preauthorizedResources", summary: "The resources that would be permitted.",
            params: [.required("resources", .array(.string))]),
        .init(
            name: "setMetadataStatus", summary: "The metadata that was asked for.", params: GetMetadata.resultMembers),
        .init(
            name: "sendTrackingData", summary: "Data for the app's analytics.",
            params: [
                .required("event", .words(TrackingEvent.self)),
                .required(
                    "data", .array(.string),
                    summary: "The values in a fixed order. A value that does not "
                        + "apply is empty."),
            ]),
        .init(name: "presentTvProviderDialog", summary: "The platform is about to show its dialog.", params: [handle]),
        .init(name: "dismissTvProviderDialog", summary: "The platform's dialog has closed.", params: [handle]),
        .init(name: "event", summary: "An event for a subscriber.", params: Event.members),
    ]

    public static func find(_ name: String) -> CallbackDefinition? { all.first { $0.name == name } }
}
