// The common parts of all calls of REST V1, the older interface. Contract: rest-v1.md §2–§4, §12.

enum V1 {
    static let scope = "api:client:v1"
    /// The sandbox's own name for a scope without a published name. Contract: rest-v1.md §9.4.
    static let operatorScope = "api:operator"

    static func owns(_ path: String) -> Bool {
        ["/api/v1/", "/reggie/v1/", "/adobe-services/config/", "/reset-tempass/"].contains { path.hasPrefix($0) }
    }

    /// The call with the format of its answer. Its path is without the extension, as the endpoints need it.
    static func negotiated(_ call: Call) -> Call {
        var call = call
        let format = AnswerFormat(call.request)
        call.format = format
        call.request.path = format.path
        return call
    }

    /// A refusal in the form of this interface. The refusals of other interfaces are unchanged.
    static func inDialect(_ refusal: Refusal, call: Call, world: World) -> Refusal {
        guard call.format != nil else { return refusal }
        guard case .wrongCode(let guessing, let refusal) = refusal else {
            return .response(answer(refusal, call: call, world: world))
        }
        return .wrongCode(guessing, .response(answer(refusal, call: call, world: world)))
    }

    static func answer(_ refusal: Refusal, call: Call, world: World) -> Response {
        guard var fault = refusal.v1Fault else { return refusal.response(call) }
        if case .unauthorized = refusal, let header = call.request.header("Authorization"),
            !header.lowercased().hasPrefix("bearer ")
        {
            fault.message = "Signed calls are not supported: register the app, and send its access token"
        }
        return answer(fault, isEnhanced: call.hasEnhancedErrors(world), call)
    }

    static func answer(_ fault: V1Fault, isEnhanced: Bool, _ call: Call, headers: [Field] = []) -> Response {
        Document("error", fault.object(isEnhanced: isEnhanced, call))
            .response(call, status: fault.status, headers: fault.headers + headers)
    }

    /// An empty answer, with `200` or `204`.
    static func empty(_ status: Int, headers: [Field] = []) -> Response { Response(status: status, headers: headers) }
}

extension Call {
    /// Whether the errors of the call have codes. They always have codes in preauthorizations. For other calls, the requestor's
    /// switch decides. Contract: open-questions.md OQ-49.
    func hasEnhancedErrors(_ world: World) -> Bool {
        if request.path.hasPrefix("/api/v1/preauthorize") { return true }
        let fields = request.query + (request.form ?? [])
        let name = names["requestor"] ?? fields.one("requestor") ?? fields.one("requestor_id")
        return name.flatMap(world.catalogue.serviceProvider)?.enhancedErrors ?? false
    }
}

let v1Endpoints = [
    Endpoint("POST", "/reggie/v1/{requestor}/regcode", .bearer, makeCode),
    Endpoint("GET", "/reggie/v1/{requestor}/regcode/{code}", .bearer, readCode),
    Endpoint("DELETE", "/reggie/v1/{requestor}/regcode/{code}", .bearer, deleteCode),
    Endpoint("GET", "/api/v1/config/{requestor}", .bearer, olderConfiguration),
    Endpoint("GET", "/adobe-services/config/{requestor}", .bearer, olderConfiguration),
    // A browser with a code has no bearer token.
    Endpoint("GET", "/api/v1/authenticate", .open, authenticateCode),
    Endpoint("GET", "/api/v1/checkauthn/{code}", .open, checkCode),
    // Clients that work with the real service poll here.
    Endpoint("GET", "/api/v1/authenticate/{code}", .open, readLoginOfCode),
    Endpoint("GET", "/api/v1/checkauthn", .bearer, checkAuthentication),
    Endpoint("GET", "/api/v1/tokens/authn", .bearer, readAuthentication),
    Endpoint("GET", "/api/v1/authorize", .bearer, authorizeResource),
    Endpoint("GET", "/api/v1/tokens/authz", .bearer, readAuthorization),
    Endpoint("GET", "/api/v1/tokens/media", .bearer, makePlayToken),
    Endpoint("GET", "/api/v1/mediatoken", .bearer, makePlayToken),
    Endpoint("GET", "/api/v1/preauthorize", .bearer, preauthorizeDevice),
    Endpoint("GET", "/api/v1/preauthorize/{code}", .open, preauthorizeCode),
    Endpoint("GET", "/api/v1/tokens/usermetadata", .bearer, readMetadata),
    Endpoint("DELETE", "/api/v1/logout", .bearer, endDeviceLogin),
    Endpoint("GET", "/api/v1/logout", .open, endBrowserLogin),
    Endpoint("POST", "/api/v1/authenticate/freepreview", .bearer, startPreview),
    Endpoint("DELETE", "/reset-tempass/v3/reset", .bearer, resetDevicesTrials),
    Endpoint("DELETE", "/reset-tempass/v3/reset/generic", .bearer, resetPersonsTrials),
    Endpoint("GET", "/api/v1/{requestor}/profile-requests/{mvpd}", .bearer, makeProfileRequest),
    Endpoint("POST", "/api/v1/tokens/authn", .bearer, exchangeProfile),
]
