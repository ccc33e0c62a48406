// Finds the endpoint of a request, and checks whether the caller may use it. The order of the checks is: path, method,
// caller's address, token. The endpoint checks the rest. Contract: rest-v2.md §1.4, dcr.md §6.

import PassJSON

enum Router {
    static let endpoints = v2Endpoints + controlEndpoints + pageEndpoints + v1Endpoints

    static func answer(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
        guard V1.owns(call.request.path) else { return try route(call, &world) }
        let call = V1.negotiated(call)
        do throws(Refusal) { return try route(call, &world) } catch {
            throw V1.inDialect(error, call: call, world: world)
        }
    }

    private static func route(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
        let segments = call.request.path.parts(between: "/").dropFirst().map { $0[...] }
        let method = call.request.method == "HEAD" ? "GET" : call.request.method
        var allowed: [String] = []
        for endpoint in endpoints {
            guard let names = endpoint.match(Array(segments)) else { continue }
            guard endpoint.method == method else {
                allowed.append(endpoint.method)
                continue
            }
            var call = call
            switch endpoint.access {
            case .open: break
            case .loopback, .form: try checkLoopback(call.request, isForm: endpoint.access == .form)
            case .bearer: call.client = try bearer(call, world)
            case .signOnBearer:
                do { call.client = try bearer(call, world) } catch { throw signOnUnauthorized(call) }
            }
            call.names = names
            if endpoint.access == .signOnBearer { try checkChannel(call, world) }
            do throws(Refusal) {
                if world.settings.strict, call.format?.isContradictory == true {
                    throw .badRequest("The path, 'format' and 'Accept' ask for different formats")
                }
                return try endpoint.handler(call, &world)
            } catch { throw V1.inDialect(error, call: call, world: world) }
        }
        throw .response(allowed.isEmpty ? missing(call) : wrongMethod(call, allowed: allowed, world: world))
    }

    /// Whether the path is for browsers. Browsers get pages even for errors. Contract: rest-v2.md S4.
    static func isForBrowsers(_ path: String) -> Bool {
        path.hasPrefix("/api/v2/authenticate/")
            || !["/api/", "/o/", "/sandbox/", "/partner/", "/reggie/", "/reset-tempass/", "/adobe-services/config/"]
                .contains {
                    path.hasPrefix($0)
                }
    }

    private static func missing(_ call: Call) -> Response {
        if call.format != nil {
            return V1.answer(V1Fault(404, code: .badRequest), isEnhanced: false, call)
        }
        if call.request.header("Accept")?.contains("text/html") == true {
            return pageNotFound()
        }
        return .noSuchPath
    }

    private static func wrongMethod(_ call: Call, allowed: [String], world: World) -> Response {
        let methods = Set(allowed).sorted().joined(separator: ", ")
        if isForBrowsers(call.request.path) {
            let onward = Page.link("/activate", "code.heading")
            return Page.notice("wrongForm", mood: .problem, onward: onward)
                .response(status: 405, headers: [Field("Allow", methods)])
        }
        if call.format != nil {
            return V1.answer(
                V1Fault(405, code: .internalError), isEnhanced: call.hasEnhancedErrors(world), call,
                headers: [Field("Allow", methods)])
        }
        return .json(
            ErrorCode.internalServerError.object(
                call, status: 405, details: "\(call.request.method) is not allowed here, only \(methods)"), status: 405,
            headers: [Field("Allow", methods)])
    }

    /// Refuses requests from other machines, and from other sites' pages in a browser on this machine, because the control
    /// paths are only for programs on this machine.
    private static func checkLoopback(_ request: Request, isForm: Bool) throws(Refusal) {
        func refuse(_ reason: String) -> Refusal { .response(.message(403, reason)) }
        if let reason = remoteness(of: request) { throw refuse(reason) }
        if let site = request.header("Sec-Fetch-Site"), site != "none", site != "same-origin" {
            throw refuse("The control paths are not available to pages of other sites")
        }
        if !isForm, request.method != "GET", request.header("Origin") != nil, request.contentType != "application/json"
        {
            throw refuse("A control request from a page must be JSON")
        }
    }

    /// The reason why the request does not count as a request from this machine; nil if it does.
    static func remoteness(of request: Request) -> String? {
        guard request.isFromLoopback else { return "The control paths are available only to this machine" }
        guard let host = request.header("Host") else { return nil }
        let name = host.begins(with: "[") ? host.upTo("]") + "]" : host.upTo(":")
        return isLoopbackName(name) ? nil : "The control paths are available only at a loopback address"
    }

    /// The token of the call. In the older interface, the token may also be in the query. Without `strict`, it may also be in a
    /// form. Contract: rest-v1.md §2.
    private static func presentedToken(_ call: Call, _ world: World) -> String? {
        if let header = call.request.header("Authorization") {
            return header.lowercased().hasPrefix("bearer ") ? header.dropFirst(7).trimmed : nil
        }
        guard call.format != nil else { return nil }
        let inForm = world.settings.strict ? nil : call.request.form?.one("access_token")
        return call.request.query.one("access_token") ?? inForm
    }

    /// The client that the token belongs to. Contract: rest-v2.md §3.2, dcr.md §6, §8.
    private static func bearer(_ call: Call, _ world: World) throws(Refusal) -> Client {
        guard let presented = presentedToken(call, world), let token = world.state.tokens[tokenKey(presented)],
            call.now < token.ends,
            let client = world.state.clients[token.client]
        else { throw .unauthorized }
        guard !client.isDismissed, client.ends.map({ call.now < $0 }) ?? true, let app = world.app(of: client),
            !world.isRevoked(app)
        else { throw .oauth("invalid_client", status: 403) }
        return client
    }
}

/// Whether a host in a URL means this machine. A check for the prefix `127.` is not enough, because a name may have the same
/// beginning.
package func isLoopbackName(_ host: String) -> Bool {
    if host == "localhost" || host == "[::1]" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
}

/// The key of a token in the state. It is the token's hash, so the state file contains no tokens.
func tokenKey(_ token: String) -> String { hexadecimal(sha256(token.utf8)) }

private let v2Endpoints = [
    Endpoint("POST", "/o/client/register", .open, register),
    Endpoint("POST", "/o/client/token", .open, accessToken),
    Endpoint("GET", "/api/v2/{serviceProvider}/configuration", .bearer, configuration),
    Endpoint("GET", "/api/v2/{serviceProvider}/configuration/", .bearer, configuration),
    Endpoint("POST", "/api/v2/{serviceProvider}/sessions", .bearer, createSession),
    Endpoint("POST", "/api/v2/{serviceProvider}/sessions/{code}", .bearer, resumeSession),
    Endpoint("GET", "/api/v2/{serviceProvider}/sessions/{code}", .bearer, readSession),
    Endpoint("GET", "/api/v2/authenticate/{serviceProvider}/{code}", .open, authenticate),
    Endpoint("GET", "/api/v2/{serviceProvider}/profiles", .bearer, allProfiles),
    Endpoint("GET", "/api/v2/{serviceProvider}/profiles/{mvpd}", .bearer, profileOfProvider),
    Endpoint("GET", "/api/v2/{serviceProvider}/profiles/code/{code}", .bearer, profileOfCode),
    Endpoint("POST", "/api/v2/{serviceProvider}/decisions/authorize/{mvpd}", .bearer, authorize),
    Endpoint("POST", "/api/v2/{serviceProvider}/decisions/preauthorize/{mvpd}", .bearer, preauthorize),
    Endpoint("GET", "/api/v2/{serviceProvider}/logout/{mvpd}", .bearer, logout),
    Endpoint("POST", "/api/v2/{serviceProvider}/sessions/sso/{partner}", .bearer, partnerSession),
    Endpoint("POST", "/api/v2/{serviceProvider}/profiles/sso/{partner}", .bearer, partnerProfile),
    Endpoint("POST", "/partner/{partner}/response", .open, partnerResponse),
    Endpoint("POST", "/api/{serviceProvider}/serviceToken", .signOnBearer, issueServiceToken),
    Endpoint("GET", "/api/{serviceProvider}/serviceToken", .signOnBearer, renewServiceToken),
    Endpoint("POST", "/api/{serviceProvider}/link", .signOnBearer, makeLink),
    Endpoint("POST", "/api/{serviceProvider}/unlink", .signOnBearer, unlinkDevices),
    Endpoint("GET", "/api/{serviceProvider}/list", .signOnBearer, listDevices),
]

// An endpoint: the method, the path with named parts, the allowed callers, and the handler.

struct Endpoint: Sendable {
    enum Access: Equatable, Sendable {
        /// Anyone: a browser, or a client that has no token yet.
        case open
        /// A bearer token with a scope. Contract: dcr.md §6.
        case bearer
        /// A bearer token for the sign-on service, which has its own form of errors. Contract: rest-v2.md §12.4.
        case signOnBearer
        /// A program on this machine.
        case loopback
        /// A form of the sandbox's own page in a browser on this machine.
        case form
    }

    typealias Handler = @Sendable (Call, inout World) throws(Refusal) -> Response

    let method: String
    let path: [Part]
    let access: Access
    let handler: Handler

    enum Part: Equatable, Sendable {
        case word(String)
        case name(String)
    }

    /// Makes an endpoint. `path` has the form `/api/v2/{serviceProvider}/profiles`.
    init(_ method: String, _ path: String, _ access: Access, _ handler: @escaping Handler) {
        self.method = method
        self.access = access
        self.handler = handler
        self.path = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { part in
            part.hasPrefix("{") ? .name(String(part.dropFirst().dropLast())) : .word(String(part))
        }
    }

    /// The values of the named parts; nil if the path is not this endpoint's.
    func match(_ segments: [Substring]) -> [String: String]? {
        guard segments.count == path.count else { return nil }
        var names: [String: String] = [:]
        for (part, segment) in zip(path, segments) {
            switch part {
            case .word(let word): guard word == segment else { return nil }
            case .name(let name): names[name] = String(segment)
            }
        }
        return names
    }
}

/// A request with facts that the service has added to it.
struct Call: Sendable {
    var request: Request
    let now: Instant
    let trace: String
    /// The sandbox's public address.
    var origin = ""
    var names: [String: String] = [:]
    /// The client, after its bearer token was checked.
    var client: Client?
    /// The format of the answer in the older interface; nil for all other calls.
    var format: AnswerFormat?

    subscript(name: String) -> String { names[name] ?? "" }
}

// Lets web pages of any origin call the API, without credentials. Web pages of other origins cannot call the sandbox's control
// paths, or read its own pages. Contract: rest-v2.md §1.3.

enum CrossOrigin {
    private static let origin = Field("Access-Control-Allow-Origin", "*")

    /// The answer to a browser's preflight request; nil for other requests.
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

    /// Adds the headers by which a page of another origin may read the answer.
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
