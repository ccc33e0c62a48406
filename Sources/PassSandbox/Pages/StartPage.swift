// The start page for developers: who can sign in, the open codes, and buttons for the controls. Assets/start.html has the fixed
// text, and names in double brackets for the rest.

import PassJSON

func startPage(_ call: Call, _ world: World) -> Response {
    let dashboard = Dashboard(call, world)
    return Page(
        title: .plain("pass-sandbox"), heading: .plain("pass-sandbox"), style: .developer, form: dashboard.form,
        main: HTML(file: PackageResources.start_html, dashboard.parts, other: dashboard.button)
    ).response()
}

private struct Dashboard {
    let world: World
    let now: Instant
    let form: PageForm
    /// The address of the controls, for commands.
    let origin: String
    /// Whether the browser is on this machine. Other browsers get no buttons.
    let mayPress: Bool

    init(_ call: Call, _ world: World) {
        (self.world, now) = (world, call.now)
        mayPress = Router.remoteness(of: call.request) == nil
        form = PageForm(action: "/press", hidden: [Field("token", mayPress ? world.formToken : "")])
        let scheme = world.origin.upTo(":")
        let host = mayPress && world.settings.foreign == nil ? call.request.header("Host") : nil
        origin = host.map { "\(scheme)://\($0)" } ?? world.origin
    }

    var parts: [String: HTML] {
        let app = world.catalogue.apps.first { !world.isRevoked($0) && $0.scopes.contains(Call.scope) }
        let last: HTML = world.lastPress.map { "<pre>\($0)</pre>" } ?? .none
        let elsewhere: HTML =
            "<p class=\"hint\">To press buttons, open this page on this machine, at a loopback address.</p>"
        return [
            "form": form.opening, "providers": providers, "codes": codes, "permission": mayPress ? .none : elsewhere,
            "last": last, "clock": "The sandbox's time: \(httpDate(now))",
            "faults": "\(world.faults.scripted.count) faults are waiting for a request.",
            "degradations": degradations, "integrations": integrations, "apps": apps, "channels": channels,
            "origin": "\(origin)", "app": "\(app?.id ?? "APP")",
            "channel": "\(app?.serviceProviders.first ?? "REQUESTOR")",
            "provider": "\(world.catalogue.providers.first?.id ?? "ID")",
        ]
    }

    /// A button, from `METHOD CONTROL BODY | LABEL` in the file.
    func button(_ text: String) -> HTML {
        let (command, label) = text.cut(at: " | ")
        return button(command, label)
    }

    /// A button with its command for a terminal.
    private func button(_ command: String, _ label: String) -> HTML {
        let parts = command.parts(between: " ", maxParts: 3)
        let id = hexadecimal(sha256(command.utf8).prefix(6))
        let path = "\(origin)/sandbox/\(parts[1])"
        let line =
            parts.count < 3
            ? "curl -X \(parts[0]) \(path)"
            : "curl \(path) -H 'Content-Type: application/json' -d '\(parts[2].with("'\\''", for: "'"))'"
        let button: HTML =
            mayPress
            ? "<button type=\"submit\" id=\"b\(id)\" name=\"press\" value=\"\(command)\">\(label)</button>"
            : "<strong>\(label)</strong>"
        return """
            <li>\(button)<details id="d\(id)"><summary>curl</summary><code>\(line)</code></details></li>
            """
    }

    private func button(_ control: String, _ body: JSONValue, _ label: String) -> HTML {
        button("POST \(control) \(body.text)", label)
    }

    private var codes: HTML {
        let open = world.state.sessions.rows.values.filter { $0.problem(at: now) == nil }
            .sorted { ($0.begins, $0.code) > ($1.begins, $1.code) }
        guard !open.isEmpty else {
            return "<p class=\"hint\">No device is waiting for a login. Its code will be here.</p>"
        }
        let items = open.prefix(50).compactMap(world.viewed).map { viewed -> HTML in
            let code = viewed.session.code
            let provider: HTML =
                viewed.session.mvpd.flatMap(world.catalogue.provider).map { " · with \($0.name)" } ?? .none
            return """
                <li><h3><a href="/activate?code=\(percentEncoded(code))">\(TypedCode.grouped(code))</a></h3>
                <p>\(viewed.spoken)\(provider)</p>
                <p class="hint">\(Int((viewed.session.ends - now + 59_999) / 60_000)) min left</p>
                <ul class="presses">\(button("expire", ["kind": "code", "id": .string(code)], "Expire"))</ul></li>

                """
        }
        let left = open.count - items.count
        let more: HTML = left > 0 ? "<p class=\"hint\">and \(left) more</p>" : .none
        return "<ul class=\"cards\">\n\(items)</ul>\(more)"
    }

    private var providers: HTML {
        list(world.catalogue.providers) { provider in
            let people = list(provider.subscribers) { subscriber in
                """
                <li><code>\(subscriber.user)</code> with password <code>\(subscriber.password)</code>
                <p>\(subscriber.note)</p>
                <p class="hint">Has \(subscriber.channels.isEmpty ? "no channel" : subscriber.channels.sorted().joined(separator: ", "))</p></li>

                """
            }
            return """
                <li><div class="head"><img src="\(providerLogoPath(provider))" alt="" width="48" height="48">
                <h3>\(provider.name) <code>\(provider.id)</code></h3></div>
                <ul class="people">\(people)</ul>
                <p class="hint">\(provider.traits)</p></li>

                """
        }
    }

    private var integrations: HTML {
        list(world.catalogue.integrations) { integration in
            let (channel, provider) = (integration.serviceProvider, integration.provider)
            let isOn = integration.isEnabled
            return """
                <li><h3>\(channel) at \(provider) \(isOn ? .none : tag("lapsed", "bad"))</h3>
                <ul class="presses">\(button(
                    "integration", ["serviceProvider": .string(channel), "provider": .string(provider), "enabled": .bool(!isOn)],
                    isOn ? "Lapse" : "Renew"))</ul></li>

                """
        }
    }

    private var apps: HTML {
        list(world.catalogue.apps) { app in
            let isRevoked = world.isRevoked(app)
            return """
                <li><h3>\(app.name) <code>\(app.id)</code> \(isRevoked ? tag("revoked", "bad") : .none)</h3>
                <p>For \(app.serviceProviders.joined(separator: ", ")) · scope <code>\(app.scopes.joined(separator: " "))</code></p>
                <ul class="presses">\(button(
                    "revoke", ["app": .string(app.id), "revoked": .bool(!isRevoked)], isRevoked ? "Restore" : "Revoke"))</ul></li>

                """
        }
    }

    private var channels: HTML {
        list(world.catalogue.programmers.flatMap(\.serviceProviders)) { requestor in
            let items = list(requestor.resources) { resource in
                let ratings = resource.ratings.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
                let traits = (resource.isGated ? [] : ["free: plays without a login"]) + ratings
                return """
                    <li><code>\(resource.id)</code> \(([resource.title] + (traits.isEmpty ? [] : [traits.joined(separator: ", ")])).joined(separator: " · "))</li>

                    """
            }
            return """
                <li><h3>\(requestor.name) <code>\(requestor.id)</code></h3>
                <ul class="people">\(items)</ul></li>

                """
        }
    }

    private var degradations: HTML {
        list(world.state.degradations.rows.values.sorted { $0.name < $1.name }) { rule in
            let isOn = rule.isActive && rule.ends.map { now < $0 } ?? true
            let message: HTML = rule.message.map { "<p class=\"hint\">“\($0)”</p>" } ?? .none
            return """
                <li><h3><code>\(rule.name)</code> \(isOn ? tag("on", "good") : tag("off", ""))</h3>
                <p>\(rule.kind.rawValue) for \(rule.provider)\(rule.serviceProvider.map { " at \($0)" } ?? .none)</p>\(message)
                <ul class="presses">\(button(
                    "degradation", ["name": .string(rule.name), "active": .bool(!isOn)], isOn ? "Switch off" : "Switch on"))</ul></li>

                """
        }
    }

    private func tag(_ text: String, _ kind: String) -> HTML { "<span class=\"tag \(kind)\">\(text)</span>" }

    private func list<Item>(_ items: [Item], _ card: (Item) -> HTML) -> HTML { "\(items.map(card))" }
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

// Runs the control of a pressed button. Only the start page itself can press a button: the request must have the page's own
// origin and the secret of its form. Programs use the controls below /sandbox/.

func press(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let form = call.request.form ?? []
    guard call.request.hasOwnOrigin == true, form.one("token") == world.formToken else {
        throw .response(
            .message(403, "Only the start page can press its buttons; programs use the paths below /sandbox/"))
    }
    let command = form.one("press") ?? ""
    let parts = command.parts(between: " ", maxParts: 3)
    guard parts.count > 1, parts[0] != "GET",
        let control = controlEndpoints.first(where: {
            $0.method == parts[0] && $0.match(["sandbox", parts[1][...]]) != nil
        })
    else { throw .badRequest("there is no such control") }
    var inner = call
    inner.request.body = Array((parts.count > 2 ? parts[2] : "").utf8)
    let before = world
    let answer: Response
    do throws(Refusal) { answer = try control.handler(inner, &world) } catch {
        world = before
        answer = error.response(call)
    }
    world.lastPress = "\(command)\n\(answer.status) \(String(decoding: answer.body.prefix(2000), as: UTF8.self))"
    return .redirect(to: "/", status: 303)
}
