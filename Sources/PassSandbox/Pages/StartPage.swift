// The start page for developers. It describes the sandbox and the first steps, lists things to try, and shows the open
// sessions.

func startPage(_ world: World, at now: Instant) -> Response {
    Page(
        title: "pass-sandbox", heading: "pass-sandbox", style: .developer,
        main: """
            <p class="lead">A stand-in for a pay-TV authentication service: registration, REST V2, the page where \
            viewers type a code, and the login pages of a few invented TV providers. Everything on this page comes \
            from its catalogue; nothing is a real account.</p>
            \(openSessions(world, now))
            \(firstSteps(world))
            \(providers(world))
            \(apps(world))
            \(channels(world))
            \(degradations(world, now))
            \(controls(world))
            """
    ).response()
}

private func section(_ id: HTML, _ heading: HTML, _ intro: HTML, cards: [HTML]) -> HTML {
    """
    <h2 id="\(id)">\(heading)</h2>
    \(intro)
    <ul class="cards">
    \(cards)</ul>
    """
}

private func openSessions(_ world: World, _ now: Instant) -> HTML {
    let open = world.state.sessions.rows.values.filter { $0.problem(at: now) == nil }
        .sorted { ($0.begins, $0.code) > ($1.begins, $1.code) }
    let items = open.prefix(50).compactMap(world.viewed).map { viewed -> HTML in
        let minutes = Int((viewed.session.ends - now + 59_999) / 60_000)
        let provider: HTML =
            viewed.session.mvpd.flatMap(world.catalogue.provider).map { " · with \($0.name)" } ?? .none
        return """
            <li><h3><a href="/activate?code=\(percentEncoded(viewed.session.code))">\
            \(TypedCode.grouped(viewed.session.code))</a></h3>
            <p>\(viewed.spoken)\(provider)</p><p class="hint">\(minutes) min left</p></li>

            """
    }
    let left = open.count - items.count
    let more: HTML = left > 0 ? "<p class=\"hint\">and \(left) more</p>" : .none
    let list: HTML =
        items.isEmpty
        ? "<p class=\"hint\">No device is waiting for a login. Its code would appear here.</p>"
        : "<ul class=\"cards\">\n\(items)</ul>\(more)"
    return """
        <h2 id="sessions">Waiting for a viewer</h2>
        \(list)
        """
}

private func firstSteps(_ world: World) -> HTML {
    let app = world.catalogue.apps.first { !world.isRevoked($0) && $0.scopes.contains(Call.scope) }
    guard let app, let serviceProvider = app.serviceProviders.first else { return .none }
    return """
        <h2 id="first-steps">First steps</h2>
        <p>Get a software statement, client credentials, a token and a code. Then open the code above and log in.</p>
        <pre>DEVICE="X-Device-Info: $(printf '{"model":"LTV-200","osName":"Linux"}' | base64 -w0)"
        ID="AP-Device-Identifier: fingerprint $(printf my-device | base64)"

        STATEMENT=$(curl -s \(world.origin)/sandbox/statement -H 'Content-Type: application/json' \\
            -d '{"app": "\(app.id)"}' | sed 's/.*"statement":"\\([^"]*\\)".*/\\1/')
        curl \(world.origin)/o/client/register -H "$DEVICE" \\
             -H 'Content-Type: application/json' -d "{\\"software_statement\\": \\"$STATEMENT\\"}"
        curl \(world.origin)/o/client/token -H "$DEVICE" \\
             -d grant_type=client_credentials -d client_id=… -d client_secret=…
        curl \(world.origin)/api/v2/\(serviceProvider)/sessions -H "$DEVICE" -H "$ID" \\
             -H 'Authorization: Bearer …' -d ''
        </pre>
        <p>The viewer's part without a browser: <code>pass-sandbox log-in CODE --provider \
        \(world.catalogue.providers.first?.id ?? "ID") --user NAME --password PASSWORD</code></p>
        """
}

private func providers(_ world: World) -> HTML {
    let cards = world.catalogue.providers.map { provider -> HTML in
        let people = provider.subscribers.map { subscriber -> HTML in
            """
            <li><code>\(subscriber.user)</code> with password <code>\(subscriber.password)</code>
            <p>\(subscriber.note)</p>
            <p class="hint">Has \(subscriber.channels.isEmpty ? "no channel" : subscriber.channels.sorted().joined(separator: ", "))</p></li>

            """
        }
        let channels = world.catalogue.integrations.filter { $0.provider == provider.id && $0.isEnabled }
            .compactMap { world.catalogue.serviceProvider($0.serviceProvider)?.name }
        return """
            <li><div class="head"><img src="\(providerLogoPath(provider))" alt="" width="48" height="48">
            <h3>\(provider.name) <code>\(provider.id)</code></h3></div>
            <p>\(provider.traits)</p>
            <p class="hint">Works with \(channels.isEmpty ? "no channel" : channels.joined(separator: ", "))</p>
            \(people.isEmpty ? .none : "<ul class=\"people\">\n\(people)</ul>")</li>

            """
    }
    return section(
        "providers", "TV providers and their subscribers",
        "<p>Each subscriber shows one case.</p>", cards: cards)
}

extension Provider {
    /// The special traits of the provider.
    fileprivate var traits: HTML {
        if let tempPass {
            return tempPass.promotion.map {
                "Temporary pass: \($0.titles) titles, viewers identified by <code>\($0.identityKey)</code>"
            }
                ?? "Temporary pass: needs no login, lasts for a limited time"
        }
        let sharing: HTML =
            loginPerRequestor ? "A login is for one service provider only" : "A login is for all service providers"
        let partner: HTML = boarding == .supported ? "; onboarded for partner sign-on" : .none
        return "\(sharing)\(hasLogoutPage ? "; has a sign-out page" : .none)\(partner)"
    }
}

private func apps(_ world: World) -> HTML {
    let cards = world.catalogue.apps.map { app -> HTML in
        let tag: HTML = world.isRevoked(app) ? " <span class=\"tag bad\">revoked</span>" : .none
        return """
            <li><h3>\(app.name) <code>\(app.id)</code>\(tag)</h3>
            <p>For \(app.serviceProviders.joined(separator: ", ")) · scope <code>\(app.scopes.joined(separator: " "))</code></p></li>

            """
    }
    return section(
        "apps", "Apps",
        """
        <p>Each app has a software statement: <code>pass-sandbox statement APP</code>, or \
        <code>POST /sandbox/statement</code> as above.</p>
        """, cards: cards)
}

/// The requestors and their resources, with their ids.
private func channels(_ world: World) -> HTML {
    let cards = world.catalogue.programmers.flatMap(\.serviceProviders).map { requestor -> HTML in
        let items = requestor.resources.map { resource -> HTML in
            let ratings = resource.ratings.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
            let traits = (resource.isGated ? [] : ["free: plays without a login"]) + ratings
            return """
                <li><code>\(resource.id)</code> \(resource.title)\(traits.isEmpty ? "" : " · ")\(traits.joined(separator: ", "))</li>

                """
        }
        return """
            <li><h3>\(requestor.name) <code>\(requestor.id)</code></h3>
            \(items.isEmpty ? .none : "<ul class=\"people\">\n\(items)</ul>")</li>

            """
    }
    return section(
        "channels", "Channels",
        "<p>The requestors, and the resources that their apps ask to play. Each subscriber has some of them.</p>",
        cards: cards)
}

private func degradations(_ world: World, _ now: Instant) -> HTML {
    let rules = world.state.degradations.rows.values.sorted { $0.name < $1.name }
    let cards = rules.map { rule -> HTML in
        let isOn = rule.isActive && rule.ends.map { now < $0 } ?? true
        let message: HTML = rule.message.map { "<p class=\"hint\">“\($0)”</p>" } ?? .none
        return """
            <li><h3><code>\(rule.name)</code> <span class="tag\(isOn ? " good" : .none)">\(isOn ? "on" : "off")</span></h3>
            <p>\(rule.kind.rawValue) for \(rule.provider)\(rule.serviceProvider.map { " at \($0)" } ?? .none)</p>\(message)</li>

            """
    }
    guard let first = rules.first else { return .none }
    return section(
        "degradation", "Degradation rules",
        """
        <p>AuthNAll: nobody has to log in. AuthZAll: everybody may watch. AuthZNone: nobody may. Switch one on:</p>
        <pre>curl \(world.origin)/sandbox/degradation -H 'Content-Type: application/json' \\
             -d '{"name": "\(first.name)", "active": true}'
        </pre>
        """, cards: cards)
}

private func controls(_ world: World) -> HTML {
    let paths: [(String, HTML)] = [
        ("GET /sandbox/journal", "the requests that were received, with masked secrets"),
        (
            "POST /sandbox/faults",
            "scripted faults: <code>{\"faults\": [{\"match\": \"GET /api/v2/*/profiles/*\", \"count\": 3, \"status\": 503}]}</code>"
        ),
        ("POST /sandbox/clock", "shift the time: <code>{\"advance\": \"30m\"}</code>"),
        ("POST /sandbox/expire", "end a token, a code, a login or a client: <code>{\"kind\": \"token\"}</code>"),
        ("POST /sandbox/degradation", "switch a rule on or off"),
        ("POST /sandbox/reset", "delete everything except the keys: <code>{}</code>"),
        ("POST /sandbox/verify", "check a media token"),
        ("GET /sandbox/certificate", "the certificate that verifies media tokens"),
    ]
    let items = paths.map { path, words -> HTML in
        "<li><h3><code>\(path)</code></h3><p>\(words)</p></li>\n"
    }
    return section(
        "control", "Control",
        "<p>These paths answer programs on this machine. Their bodies are JSON.</p>", cards: items)
}
