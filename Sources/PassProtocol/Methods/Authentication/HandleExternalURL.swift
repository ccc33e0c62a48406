// Completes a login or logout in the app's browser, after the app has seen the redirect URL. Contract: access-enabler.md §7.6;
// rpc.md §4.

public import PassJSON

public enum HandleExternalURL: RPCMethod {
    public static let definition = MethodDefinition(
        "handleExternalURL",
        "Completes a login or logout in the app's own browser. When the browser is about to load the "
            + "redirect URL of the box, the app closes the browser and calls this method with the URL.",
        params: [.required("url", .string, summary: "The redirect URL that the browser was about to load.")],
        result: .object(
            [
                .required("authenticated", .boolean), .required("errorCode", .component(FlowErrorCode.component)),
            ] + ViewerWords.members("If a login has failed")),
        statuses: SDKStatus.ofAnyQuestion + [.N130, .N500], errors: [.flowConflict],
        capability: .entitlement, needsRequestor: true,
        callbacks: ["setAuthenticationStatus", "sendTrackingData", "status"],
        example: .init(["url": "adobepass://ios.app"], ["authenticated": true, "errorCode": ""]))

    public struct Params: MethodParams {
        public var url: String

        public init(url: String) { self.url = url }

        public init(params: JSONValue) throws(SchemaFault) { url = try params.text("url") }

        public var json: JSONValue { ["url": .string(url)] }
    }

    public struct Result: MethodResult {
        public var authenticated: Bool
        public var errorCode: FlowErrorCode

        public var words: ViewerWords?

        public init(authenticated: Bool, errorCode: FlowErrorCode, words: ViewerWords? = nil) {
            self.authenticated = authenticated
            self.errorCode = errorCode
            self.words = words
        }

        public var json: JSONValue {
            JSONValue.members(["authenticated": .bool(authenticated), "errorCode": errorCode.json])
                .adding(words?.json ?? [])
        }
    }
}
