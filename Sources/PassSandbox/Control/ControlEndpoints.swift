// The control paths that change the world: expiry, degradation, revocation, statements, tokens, keys.
// Contract: operations.md §4; dcr.md §8.

import PassJSON

let controlEndpoints =
    serviceControlEndpoints + [
        Endpoint("POST", "/sandbox/expire", .loopback, expire),
        Endpoint("POST", "/sandbox/degradation", .loopback, degrade),
        Endpoint("GET", "/sandbox/degradation", .loopback) { _, world in degradations(world) },
        Endpoint("POST", "/sandbox/revoke", .loopback, revoke),
        Endpoint("POST", "/sandbox/statement", .loopback, statement),
        Endpoint("POST", "/sandbox/service-token", .loopback, serviceToken),
        Endpoint("POST", "/sandbox/verify", .loopback, verify),
        Endpoint("GET", "/sandbox/metadata-key", .loopback, metadataKey),
        // Open to all peers, because programmers' servers verify tokens with it.
        Endpoint("GET", "/sandbox/certificate", .open) { _, world in
            .text(
                world.state.key(.mediaToken).certificate(name: "pass-sandbox media tokens"),
                type: "application/x-pem-file")
        },
    ]

/// Expires all items of a kind, or one. `id` is the token, the code or the client id. For a login or an authorization,
/// it is the id of the provider.
private func expire(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let body = try controlBody(call.request, known: ["kind", "id", "reason"])
    let id = body["id"]?.string
    if body["id"] != nil, id == nil { throw .badRequest("\"id\" should be a string") }
    let reason = body["reason"]?.string ?? "expired"
    guard ["expired", "invalidated"].contains(reason), body["reason"] == nil || body["kind"]?.string == "login" else {
        throw .badRequest("\"reason\" should be \"expired\" or \"invalidated\", and is only for the kind \"login\"")
    }
    var ended = 0
    switch body["kind"]?.string {
    case "token":
        for key in world.state.tokens.rows.keys where id == nil || key == tokenKey(id ?? "") {
            world.state.tokens[key]?.ends = call.now
            ended += 1
        }
    case "code":
        for (code, session) in world.state.sessions.rows where (id == nil || code == id) && call.now < session.ends {
            world.state.sessions[code]?.ends = call.now
            ended += 1
        }
    case "client":
        for key in world.state.clients.rows.keys where id == nil || key == id {
            world.state.clients[key]?.isDismissed = true
            ended += 1
        }
    case "login": ended = world.endLogins(id, invalidated: reason == "invalidated", at: call.now)
    case "authorization": ended = world.endAuthorizations(id, at: call.now)
    default: throw .badRequest("\"kind\" should be token, code, login, authorization or client")
    }
    return .json(["ended": .int(Int64(ended))])
}

extension World {
    /// Ends permits of the older interface, and drops the provider's stored decisions, so that the provider is asked
    /// again.
    fileprivate mutating func endAuthorizations(_ mvpd: String?, at now: Instant) -> Int {
        var ended = 0
        for (key, authorization) in state.authorizations.rows
        where (mvpd == nil || authorization.mvpd == mvpd) && now < authorization.ends {
            state.authorizations[key]?.ends = now
            ended += 1
        }
        for profile in state.profiles.rows.values
        where profile.v1 != nil && (mvpd == nil || profile.mvpd == mvpd) {
            forgetDecisions(of: profile.owner, profile.mvpd)
        }
        return ended
    }

    fileprivate mutating func endLogins(_ mvpd: String?, invalidated: Bool, at now: Instant) -> Int {
        var ended = 0
        for (key, profile) in state.profiles.rows where (mvpd == nil || profile.mvpd == mvpd) && now < profile.ends {
            if invalidated { state.profiles[key]?.isInvalidated = true } else { state.profiles[key]?.ends = now }
            ended += 1
        }
        for (key, login) in state.sharedLogins.rows where (mvpd == nil || login.mvpd == mvpd) && now < login.ends {
            if invalidated {
                state.sharedLogins[key]?.isInvalidated = true
            } else {
                state.sharedLogins[key]?.ends = now
            }
        }
        return ended
    }
}

/// Switches a rule of the catalogue by its name, or makes a new one. `rule` is AuthNAll, AuthZAll or AuthZNone, or
/// `none` to end all rules of the provider.
private func degrade(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let body = try controlBody(
        call.request, known: ["name", "active", "rule", "provider", "serviceProvider", "message", "duration"])
    var ends: Instant?
    if let duration = body["duration"] {
        guard let time = duration.string.flatMap({ Duration(written: $0) }), time > .zero else {
            throw .badRequest("\"duration\" should be a time such as \"1h\"")
        }
        ends = call.now + time.milliseconds
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
    let serviceProvider = body["serviceProvider"]?.string
    if body["serviceProvider"] != nil, serviceProvider.flatMap(world.catalogue.serviceProvider) == nil {
        throw .badRequest("\"serviceProvider\" should be a service provider of the catalogue")
    }
    guard let rule = body["rule"]?.string else { throw .badRequest("\"rule\" is missing") }
    if rule == "none" {
        for (key, other) in world.state.degradations.rows
        where other.provider == provider && (serviceProvider == nil || other.serviceProvider == serviceProvider) {
            world.state.degradations[key]?.isActive = false
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
    if let resource = body["resource"], resource.string == nil { throw .badRequest("\"resource\" should be a string") }
    let (verdict, token) = world.verify(text, resource: body["resource"]?.string, at: call.now)
    return .json(
        .members([
            "result": .string(verdict.rawValue), "resourceID": token.map { .string($0.resource) },
            "requestorID": token.map { .string($0.requestor) }, "mvpdId": token.map { .string($0.mvpd) },
            "proxyMvpdId": token.map { .string($0.proxy) }, "sessionGUID": token.map { .string($0.session) },
            "issueTime": token.map { .int($0.issued) }, "ttl": token.map { .int($0.lifetime) },
        ]))
}

/// The private key that the sandbox has made for a programmer. Developers decrypt user metadata with it.
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
