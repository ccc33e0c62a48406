// The control paths that change the world: expiry, degradation, revocation, statements, tokens, keys.
// Contract: operations.md §4; dcr.md §8.

import PassJSON

let controlEndpoints =
    serviceControlEndpoints + [
        Endpoint("POST", "/sandbox/expire", .loopback, expire),
        Endpoint("POST", "/sandbox/degradation", .loopback, degrade),
        Endpoint("GET", "/sandbox/degradation", .loopback) { _, world in degradations(world) },
        Endpoint("POST", "/sandbox/integration", .loopback, changeIntegration),
        Endpoint("POST", "/sandbox/revoke", .loopback, revoke),
        Endpoint("POST", "/sandbox/statement", .loopback, statement),
        Endpoint("POST", "/sandbox/service-token", .loopback, serviceToken),
        Endpoint("POST", "/sandbox/verify", .loopback, verify),
        Endpoint("GET", "/sandbox/metadata-key", .loopback, metadataKey),
        // All peers may read the certificate, because programmers' servers verify tokens with it.
        Endpoint("GET", "/sandbox/certificate", .open) { _, world in
            .text(
                world.state.key(.mediaToken).certificate(name: "pass-sandbox media tokens"),
                type: "application/x-pem-file")
        },
    ]

/// Expires one item or all items of a kind. `id` is the token, the code or the client id. For a login or an authorization, `id`
/// is the provider's id.
private func expire(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let body = try controlBody(call.request, known: ["kind", "id", "reason"])
    let id = try body.member("id", "a string", \.string)
    let reason = body["reason"]?.string ?? "expired"
    guard ["expired", "invalidated"].contains(reason), body["reason"] == nil || body["kind"]?.string == "login" else {
        throw .badRequest("\"reason\" should be \"expired\" or \"invalidated\", and is only for the kind \"login\"")
    }
    let now = call.now
    let ended: Int
    switch body["kind"]?.string {
    case "token":
        let key = id.map(tokenKey)
        ended = world.state.tokens.change {
            $0.ends = now
        } where: { name, _ in
            key == nil || name == key
        }
    case "code":
        ended = world.state.sessions.change {
            $0.ends = now
        } where: { code, session in
            (id == nil || code == id) && now < session.ends
        }
    case "client":
        ended = world.state.clients.change {
            $0.isDismissed = true
        } where: { name, _ in
            id == nil || name == id
        }
    case "login": ended = world.endLogins(id, invalidated: reason == "invalidated", at: now)
    case "authorization": ended = world.endAuthorizations(id, at: now)
    default: throw .badRequest("\"kind\" should be token, code, login, authorization or client")
    }
    return .json(["ended": .int(ended)])
}

extension World {
    /// Ends permits of the older interface, and returns their number. Drops the stored decisions, so that the provider is asked
    /// again.
    fileprivate mutating func endAuthorizations(_ mvpd: String?, at now: Instant) -> Int {
        for profile in state.profiles.rows.values
        where profile.v1 != nil && (mvpd == nil || profile.mvpd == mvpd) {
            forgetDecisions(of: profile.owner, profile.mvpd)
        }
        return state.authorizations.change {
            $0.ends = now
        } where: { _, authorization in
            (mvpd == nil || authorization.mvpd == mvpd) && now < authorization.ends
        }
    }

    fileprivate mutating func endLogins(_ mvpd: String?, invalidated: Bool, at now: Instant) -> Int {
        state.sharedLogins.change {
            if invalidated { $0.isInvalidated = true } else { $0.ends = now }
        } where: { _, login in
            (mvpd == nil || login.mvpd == mvpd) && now < login.ends
        }
        return state.profiles.change {
            if invalidated { $0.isInvalidated = true } else { $0.ends = now }
        } where: { _, login in
            (mvpd == nil || login.mvpd == mvpd) && now < login.ends
        }
    }
}

/// Switches the rule with the given `name` on or off. With `rule`, makes a new rule instead. `rule` is AuthNAll, AuthZAll or
/// AuthZNone, or `none` to end all rules of the provider.
private func degrade(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let body = try controlBody(
        call.request, known: ["name", "active", "rule", "provider", "serviceProvider", "message", "duration"])
    let ends = try body.member("duration", "a time such as \"1h\"") { value in
        value.duration.flatMap { $0 > .zero ? call.now + $0.milliseconds : nil }
    }
    if let name = body["name"], body["rule"] == nil {
        guard let key = name.string, world.state.degradations[key] != nil else {
            let known = world.state.degradations.rows.keys.sorted().joined(separator: ", ")
            throw .badRequest("there is no rule of that name; known rules: \(known)")
        }
        guard let active = body["active"]?.bool else { throw .badRequest("\"active\" should be true or false") }
        world.state.degradations[key]?.isActive = active
        world.state.degradations[key]?.ends = ends
        return degradations(world)
    }
    guard let provider = body["provider"]?.string, world.catalogue.provider(provider) != nil else {
        throw .badRequest("\"provider\" should be a provider of the catalogue")
    }
    let catalogue = world.catalogue
    let serviceProvider = try body.member("serviceProvider", "a service provider of the catalogue") { value in
        value.string.flatMap(catalogue.serviceProvider)?.id
    }
    guard let rule = body["rule"]?.string else { throw .badRequest("\"rule\" is missing") }
    if rule == "none" {
        world.state.degradations.change {
            $0.isActive = false
        } where: { _, other in
            other.provider == provider && (serviceProvider == nil || other.serviceProvider == serviceProvider)
        }
        return degradations(world)
    }
    guard let kind = DegradationRule.Kind(rawValue: rule) else {
        throw .badRequest("\"rule\" should be AuthNAll, AuthZAll, AuthZNone or none")
    }
    let name = body["name"]?.string ?? [rule, provider, serviceProvider].compactMap(\.self).joined(separator: "-")
    guard name.utf8.count <= 200, world.state.degradations.rows.count < 1000 || world.state.degradations[name] != nil
    else { throw .badRequest("the name is too long, or there are too many rules") }
    world.state.degradations[name] = DegradationRule(
        name: name, kind: kind, provider: provider, serviceProvider: serviceProvider,
        message: body["message"]?.string, isActive: body["active"]?.bool ?? true, ends: ends)
    return degradations(world)
}

private func degradations(_ world: World) -> Response {
    .json([
        "rules": .array(
            world.state.degradations.rows.values.sorted { $0.name < $1.name }.map { rule in
                .members([
                    "name": .string(rule.name), "rule": .string(rule.kind.rawValue),
                    "provider": .string(rule.provider),
                    "serviceProvider": rule.serviceProvider.map(JSONValue.string),
                    "message": rule.message.map(JSONValue.string), "active": .bool(rule.isActive),
                    "ends": rule.ends.map(JSONValue.int),
                ])
            })
    ])
}

/// Ends an integration, or renews it with `"enabled": true`.
private func changeIntegration(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let body = try controlBody(call.request, known: ["serviceProvider", "provider", "enabled"])
    guard
        let index = world.catalogue.integrations.firstIndex(where: {
            $0.serviceProvider == body["serviceProvider"]?.string && $0.provider == body["provider"]?.string
        })
    else { throw .badRequest("the catalogue has no integration of this \"serviceProvider\" with this \"provider\"") }
    let isEnabled = try body.member("enabled", "true or false", \.bool) ?? false
    if world.catalogue.integrations[index].isEnabled != isEnabled { world.toggleIntegration(index) }
    return .json(["enabled": .bool(isEnabled)])
}

extension World {
    mutating func toggleIntegration(_ index: Int) {
        catalogue.integrations[index].isEnabled.toggle()
        changedIntegrations.formSymmetricDifference([index])
    }
}

/// Revokes an app; `{"app": ID, "revoked": false}` restores it. Contract: dcr.md §8.
private func revoke(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let body = try controlBody(call.request, known: ["app", "revoked"])
    let app = try knownApp(body, world)
    let isRevoked = body["revoked"]?.bool ?? true
    world.state.revokedApps[app.id] = isRevoked ? RevokedApp(since: call.now) : nil
    return .json(["app": .string(app.id), "revoked": .bool(world.isRevoked(app))])
}

private func statement(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let app = try knownApp(controlBody(call.request, known: ["app"]), world)
    return .json(["statement": .string(world.softwareStatement(for: app, at: call.now))])
}

private func knownApp(_ body: JSONValue, _ world: World) throws(Refusal) -> App {
    guard let app = body["app"]?.string.flatMap(world.catalogue.app) else {
        let known = world.catalogue.apps.map(\.id).joined(separator: ", ")
        throw .badRequest("\"app\" should be one of the catalogue's apps: \(known)")
    }
    return app
}

private func serviceToken(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let body = try controlBody(call.request, known: ["subscriber"])
    guard let user = body["subscriber"]?.string, world.catalogue.users.contains(user) else {
        let known = world.catalogue.users.joined(separator: ", ")
        throw .badRequest("\"subscriber\" should be one of the catalogue's subscribers: \(known)")
    }
    let token = world.makeServiceToken(for: user, at: call.now)
    return .json(["serviceToken": .string(token.text), "expires": .int(token.ends)])
}

/// Verifies a media token. Contract: rest-v1.md §13; operations.md §4.
private func verify(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let body = try controlBody(call.request, known: ["token", "resource"])
    guard let text = body["token"]?.string else { throw .badRequest("\"token\" should be the serialized media token") }
    let resource = try body.member("resource", "a string", \.string)
    let (verdict, token) = world.verify(text, resource: resource, at: call.now)
    return .json(
        .members([
            "result": .string(verdict.rawValue), "resourceID": token.map { .string($0.resource) },
            "requestorID": token.map { .string($0.requestor) }, "mvpdId": token.map { .string($0.mvpd) },
            "proxyMvpdId": token.map { .string($0.proxy) }, "sessionGUID": token.map { .string($0.session) },
            "issueTime": token.map { .int($0.issued) }, "ttl": token.map { .int($0.lifetime) },
        ]))
}

/// Returns the private key that the sandbox has made for a programmer. Developers need it to decrypt user metadata.
private func metadataKey(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    guard let id = call.request.query.one("programmer"),
        let programmer = world.catalogue.programmers.first(where: { $0.id == id })
    else {
        let known = world.catalogue.programmers.map(\.id).joined(separator: ", ")
        throw .badRequest("\"programmer\" in the query should be one of: \(known)")
    }
    guard programmer.metadataKey == nil else {
        throw .badRequest("the catalogue gives only the public key for \(id)")
    }
    return .text(world.state.key(.metadata(id)).privatePEM, type: "application/x-pem-file")
}
