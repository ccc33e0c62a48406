// Lets web pages of any origin call the API, without credentials. Pages and control paths are not the API. Contract:
// rest-v2.md §1.3.

enum CrossOrigin {
    private static let origin = Field("Access-Control-Allow-Origin", "*")

    /// The answer to the question of a browser whether a page may make a call; nil if it is not such a question.
    static func preflight(_ request: Request) -> Response? {
        guard request.method == "OPTIONS", covers(request.path) else { return nil }
        return Response(
            status: 204,
            headers: [
                origin, Field("Access-Control-Allow-Methods", "GET, POST, DELETE, OPTIONS"),
                Field(
                    "Access-Control-Allow-Headers",
                    "Accept, Authorization, Content-Type, AP-Device-Identifier, AP-Partner-Framework-Status, "
                        + "AP-TempPass-Identity, AP-Visitor-Identifier, AD-Service-Token, Adobe-Subject-Token, "
                        + "X-Device-Info, X-Roku-Reserved-Roku-Connect-Token"),
                Field("Access-Control-Max-Age", "600"),
            ])
    }

    /// Adds what a page of another origin needs to read the answer.
    static func opened(_ response: Response, to request: Request) -> Response {
        guard covers(request.path), request.header("Origin") != nil else { return response }
        var response = response
        response.headers += [origin, Field("Access-Control-Expose-Headers", "Date, Retry-After, WWW-Authenticate")]
        return response
    }

    private static func covers(_ path: String) -> Bool {
        ["/api/", "/o/client/", "/reggie/", "/adobe-services/config/"].contains { path.hasPrefix($0) }
            && !Router.isForBrowsers(path) && path != "/api/v1/authenticate" && path != "/api/v1/logout"
    }
}
