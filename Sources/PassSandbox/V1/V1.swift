// REST V1, the older interface: what all of its calls have in common. Contract: rest-v1.md §2–§4, §12.

enum V1 {
    static let scope = "api:client:v1"
    /// Our own name for a scope whose name is not published. Contract: rest-v1.md §9.4.
    static let operatorScope = "api:operator"

    static func owns(_ path: String) -> Bool {
        ["/api/v1/", "/reggie/v1/", "/adobe-services/config/", "/reset-tempass/"].contains { path.hasPrefix($0) }
    }

    /// The call with the path that the endpoints know, and with the format of its answer.
    static func negotiated(_ call: Call) -> Call {
        var call = call
        let format = AnswerFormat(call.request)
        call.format = format
        call.request.path = format.path
        return call
    }

    /// An endpoint of this interface. Its errors are turned into those of the interface.
    static func endpoint(
        _ method: String, path: String, access: Endpoint.Access = .bearer, handler: @escaping Endpoint.Handler
    ) -> Endpoint {
        Endpoint(method, path: path, access: access) { call, world throws(Refusal) in
            do throws(Refusal) {
                if world.settings.strict, call.format?.isContradictory == true {
                    throw Refusal.badRequest("The path, 'format' and 'Accept' ask for different formats")
                }
                return try handler(call, &world)
            } catch {
                throw inDialect(error, call: call, world: world)
            }
        }
    }

    static func inDialect(_ refusal: Refusal, call: Call, world: World) -> Refusal {
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
    /// Preauthorization always has detailed errors; for other calls the requestor's switch decides. Contract:
    /// open-questions.md OQ-49.
    func hasEnhancedErrors(_ world: World) -> Bool {
        if request.path.hasPrefix("/api/v1/preauthorize") { return true }
        let fields = request.query + (request.form ?? [])
        let name = names["requestor"] ?? fields.one("requestor") ?? fields.one("requestor_id")
        return name.flatMap(world.catalogue.serviceProvider)?.enhancedErrors ?? false
    }
}

let v1Endpoints: [Endpoint] = [
    registrationCodeEndpoints, olderConfigurationEndpoints, secondScreenEndpoints, authenticationTokenEndpoints,
    authorizationEndpoints, preauthorizationEndpoints, userMetadataEndpoints, olderLogoutEndpoints,
    freePreviewEndpoints, trialResetEndpoints, profileExchangeEndpoints,
].flatMap(\.self)
