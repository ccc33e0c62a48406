// Handlers of the AccessEnabler's methods. Each of them is answered by the client's session. rpc.md §4.

import AccessEnabler
import PassProtocol

extension Handlers {
    mutating func offerEntitlement() {
        on(SetOptions.self) { params, client, _ in client.session.setOptions(params) }
        on(SetRequestor.self) { params, client, grant in
            try await client.session.setRequestor(params, try grant.forEngine(params))
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
        on(Logout.self) { _, client, _ in try await client.session.logout() }
        on(ListProviders.self) { params, client, _ in try await client.session.listProviders(params) }
        on(ListProfiles.self, onlyReads: true) { _, client, _ in try await client.session.listProfiles() }
    }
}

extension SetRequestor.Params {
    /// Checks what the schema of the params cannot express: each service provider has to be an HTTP or HTTPS address.
    var fault: SchemaFault? {
        for (index, address) in (serviceProviders ?? []).enumerated()
        where !address.hasPrefix("https://") && !address.hasPrefix("http://") {
            return SchemaFault(path: "serviceProviders[\(index)]", expected: "a base URL", found: "a different text")
        }
        return nil
    }
}

extension Grant {
    /// The grant as the engine needs it. The statement comes from the app's stanza. An app that brings its own
    /// statement may do without one in the stanza, and then an unusable one there does not matter.
    fileprivate func forEngine(_ params: SetRequestor.Params) throws(RPCError) -> Session.Grant {
        var grant = Session.Grant(
            app: AppID(rawValue: app ?? "unnamed"), statement: nil,
            requestors: Set((stanza?.requestors ?? []).map { RequestorID(rawValue: $0) }),
            mayEraseAll: stanza?.may.contains(.admin) ?? false)
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
}
