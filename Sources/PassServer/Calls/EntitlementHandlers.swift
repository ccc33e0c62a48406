// Handlers of the AccessEnabler's methods. The client's session answers these calls. rpc.md §4.

import AccessEnabler
import PassConfiguration
import PassProtocol

extension Handlers {
    mutating func offerEntitlement(engine: Engine, log: DecisionLog) {
        on(SetOptions.self) { params, client, _ in client.session.setOptions(params) }
        on(SetRequestor.self) { params, client, grant in
            do throws(RPCError) {
                return try await client.session.setRequestor(params, try grant.rights(params))
            } catch {
                throw grant.advised(error, params)
            }
        }
        on(CheckAuthentication.self, onlyReads: true) { _, client, _ in
            try await client.session.checkAuthentication()
        }
        on(GetAuthentication.self) { params, client, _ in try await client.session.getAuthentication(params) }
        on(SetSelectedProvider.self) { params, client, _ in try await client.session.setSelectedProvider(params) }
        on(GetSelectedProvider.self, onlyReads: true) { _, client, _ in try client.session.getSelectedProvider() }
        on(HandleExternalURL.self) { params, client, _ in try await client.session.handleExternalURL(params) }
        on(CheckAuthorization.self) { params, client, _ in try await client.session.checkAuthorization(params) }
        on(GetAuthorization.self) { params, client, _ in try await client.session.getAuthorization(params) }
        on(CheckPreauthorizedResources.self) { params, client, _ in
            try await client.session.checkPreauthorizedResources(params)
        }
        on(Preauthorize.self) { params, client, _ in try await client.session.preauthorize(params) }
        on(GetMetadata.self, onlyReads: true) { params, client, _ in try await client.session.getMetadata(params) }
        on(Logout.self) { _, client, _ in
            // A logout removes the decisions about the viewer from the log, even if the login has already ended. The log may
            // still have refusals for this viewer.
            let isWhole = engine.settings.logoutScope == .device
            if isWhole || client.session.requestor != nil {
                log.forget(isWhole ? nil : client.session.requestor?.rawValue)
            }
            let answer = try await client.session.logout()
            await log.save(ifChanged: true)
            return answer
        }
        on(ListProviders.self) { params, client, _ in try await client.session.listProviders(params) }
        on(ListProfiles.self, onlyReads: true) { _, client, _ in try await client.session.listProfiles() }
    }
}

extension SetRequestor.Params {
    /// Each service provider has to be an HTTP or HTTPS address. The schema of the params cannot express this.
    var fault: SchemaFault? {
        for (index, address) in (serviceProviders ?? []).enumerated()
        where !address.hasPrefix("https://") && !address.hasPrefix("http://") {
            return SchemaFault(path: "serviceProviders[\(index)]", expected: "a base URL", found: "a different text")
        }
        return nil
    }
}

extension Grant {
    /// Returns the facts in the grant that the engine needs: the app, its requestors, its rights and the statement of its
    /// stanza. Throws if the stanza's statement is unusable, except if the call brings its own statement.
    fileprivate func rights(_ params: SetRequestor.Params) throws(RPCError) -> Session.AppRights {
        var grant = Session.AppRights(app: AppID(rawValue: app ?? "unnamed"))
        grant.requestors = Set((stanza?.requestors ?? []).map { RequestorID(rawValue: $0) })
        switch stanza?.statement {
        case .present(let statement): grant.statement = statement.text
        case .absent, nil: break
        case .unusable(let reason):
            if params.softwareStatement != nil { break }
            throw .unanswered(
                .R400, reason.asSentence, action: .applicationRegistration)
        }
        return grant
    }

    /// Returns the error with a better remedy if neither the call nor a stanza has a statement. The remedy names stanzas and
    /// statements, because the app's author may not know about them.
    fileprivate func advised(_ error: RPCError, _ params: SetRequestor.Params) -> RPCError {
        guard error.name == .unanswered(.R400), params.softwareStatement == nil else { return error }
        var error = error
        switch stanza?.statement {
        case .present, .unusable: return error
        case .absent:
            error.remedy = "Add software-statement to [app \(app ?? "")], or send the text as softwareStatement."
        case nil:
            error.message =
                "No [app] stanza lists requestor \(params.requestorID), and the app sent no software statement."
            error.remedy =
                "Write a stanza with requestors and software-statement, or send the text as softwareStatement. For "
                + "the sandbox, `pass-sandbox statement APP` prints a statement, and `pass-sandbox box` has a "
                + "stanza for each app."
        }
        return error
    }
}
