// Reads the catalogue, and checks all parts and the references between them. The service does not have to check them again.

import PassJSON

extension Catalogue {
    /// Reads a catalogue. An error names the place and the reason. The caller adds the path of the file.
    static func read(_ bytes: [UInt8]) throws(CatalogueError) -> Catalogue {
        let root = try CatalogueNode(bytes)
        try root.members(
            "settings", "programmers", "providers", "integrations", "apps", "degradations", "partners", "platformKeys",
            "identityServices")
        var catalogue = Catalogue()
        if let node = root.optional("settings") { catalogue.settings = try Settings(node) }
        for name in ["programmers", "providers", "integrations", "apps"] { _ = try root.required(name) }
        catalogue.programmers = try root.list("programmers", by: \.id, Programmer.init)
        catalogue.providers = try root.list("providers", by: \.id, Provider.init)
        catalogue.integrations = try root.list(
            "integrations", by: { "\($0.serviceProvider) with \($0.provider)" }
        ) { node throws(CatalogueError) in try Integration(node, catalogue) }
        catalogue.apps = try root.list("apps", by: \.id) { node throws(CatalogueError) in try App(node, catalogue) }
        catalogue.degradations = try root.list("degradations", by: \.name) { node throws(CatalogueError) in
            try DegradationRule(node, catalogue)
        }
        catalogue.partners = try root.list("partners", by: { $0.id.lowercased() }, Partner.init)
        for node in try root.optional("platformKeys")?.items() ?? [] {
            try node.members("kid", "pem")
            catalogue.platformKeys[try node.required("kid").string()] = try node.required("pem").publicKey()
        }
        for node in try root.optional("identityServices")?.items() ?? [] {
            try node.members("iss", "pem", "secret")
            let secret = try node.optional("secret")?.string()
            if secret != nil, let pem = node.optional("pem") { throw pem.fail("cannot be combined with \"secret\"") }
            let key: IdentityService.Key =
                if let secret { .secret(secret) } else { .pair(try node.required("pem").publicKey()) }
            catalogue.identityServices.append(IdentityService(issuer: try node.required("iss").string(), key: key))
        }
        try catalogue.checkReferences(root)
        return catalogue
    }

    private func checkReferences(_ root: CatalogueNode) throws(CatalogueError) {
        var seen: Set<String> = []
        for (index, programmer) in programmers.enumerated() {
            for serviceProvider in programmer.serviceProviders where !seen.insert(serviceProvider.id).inserted {
                let node = try root.required("programmers").items()[index]
                throw node.fail("the service provider \"\(serviceProvider.id)\" appears twice")
            }
        }
        let channels = Set(programmers.flatMap(\.serviceProviders).flatMap(\.resources).map(\.id))
        for (index, provider) in providers.enumerated() {
            let node = try root.required("providers").items()[index]
            if let id = provider.platformMappingID,
                let other = providers[..<index].first(where: { $0.platformMappingID == id })
            {
                throw try node.required("platformMappingId").fail("\"\(id)\" is already used by \(other.id)")
            }
            if let proxy = provider.proxy, self.provider(proxy) == nil {
                throw try node.required("proxy").fail("there is no provider \"\(proxy)\"")
            }
            for (place, subscriber) in provider.subscribers.enumerated() {
                let node = try node.required("subscribers").items()[place]
                if let unknown = subscriber.channels.subtracting(channels).sorted().first {
                    throw try node.required("channels").fail("there is no resource \"\(unknown)\"")
                }
            }
        }
    }
}

// Reads a programmer of the catalogue with its service providers and their resources.

extension Programmer {
    init(_ node: CatalogueNode) throws(CatalogueError) {
        try node.members("id", "name", "metadataKey", "serviceProviders")
        let serviceProviders = try node.required("serviceProviders").items().map(ServiceProvider.init)
        self.init(
            id: try node.required("id").identifier(), name: try node.required("name").string(),
            metadataKey: try node.optional("metadataKey")?.publicKey(), serviceProviders: serviceProviders)
    }
}

extension ServiceProvider {
    init(_ node: CatalogueNode) throws(CatalogueError) {
        try node.members("id", "name", "domains", "resources", "enhancedErrors", "registrationURL")
        let resources = try node.required("resources").items().map(Resource.init)
        self.init(
            id: try node.required("id").identifier(), name: try node.required("name").string(),
            domains: try node.required("domains").domains(), resources: resources,
            enhancedErrors: try node.optional("enhancedErrors")?.bool() ?? false,
            registrationURL: try node.optional("registrationURL")?.string())
    }
}

extension Resource {
    init(_ node: CatalogueNode) throws(CatalogueError) {
        try node.members("id", "title", "ratings", "gated")
        self.init(
            id: try node.required("id").string(), title: try node.required("title").string(),
            ratings: try node.optional("ratings")?.ratings() ?? [:], isGated: try node.optional("gated")?.bool() ?? true
        )
    }
}

// Reads a provider of the catalogue with its subscribers.

extension Provider {
    init(_ node: CatalogueNode) throws(CatalogueError) {
        try node.members(
            "id", "name", "look", "proxy", "loginPerRequestor", "logoutPage", "samlForm", "platformMappingId",
            "boardingStatus",
            "requiredMetadataFields", "tempPass", "subscribers")
        let subscribers = try node.list("subscribers", by: \.user, Subscriber.init)
        let tempPass = node.optional("tempPass")
        if tempPass != nil, !subscribers.isEmpty {
            throw node.fail("a TempPass cannot have subscribers: nobody logs in to it")
        }
        self.init(
            id: try node.required("id").identifier(), name: try node.required("name").string(),
            look: try Look(node.optional("look"), name: try node.required("name").string()),
            proxy: try node.optional("proxy")?.identifier(),
            loginPerRequestor: try node.optional("loginPerRequestor")?.bool() ?? false,
            hasLogoutPage: try node.optional("logoutPage")?.bool() ?? false,
            submitsForm: try node.optional("samlForm")?.bool() ?? false,
            platformMappingID: try node.optional("platformMappingId")?.string(),
            boarding: try node.optional("boardingStatus")?.choice(Boarding.self),
            requiredMetadataFields: try node.optional("requiredMetadataFields")?.strings() ?? [],
            tempPass: try tempPass.map(TempPass.init), subscribers: subscribers)
    }
}

extension Provider.Look {
    init(_ node: CatalogueNode?, name: String) throws(CatalogueError) {
        self.init(color: "#20508a", ink: "#ffffff", mark: String(name.prefix(1)), shape: .circle, slogan: "")
        guard let node else { return }
        try node.members("color", "ink", "mark", "shape", "slogan")
        if let child = node.optional("color") { color = try child.color() }
        if let child = node.optional("ink") { ink = try child.color() }
        if let child = node.optional("mark") { mark = String(try child.string().prefix(3)) }
        if let child = node.optional("shape") { shape = try child.choice(Shape.self) }
        if let child = node.optional("slogan") { slogan = try child.string() }
    }
}

extension TempPass {
    init(_ node: CatalogueNode) throws(CatalogueError) {
        try node.members("lifetime", "titles", "identityKey")
        lifetime = try node.required("lifetime").duration()
        guard let titles = node.optional("titles") else {
            if let key = node.optional("identityKey") { throw key.fail("is only for a pass with \"titles\"") }
            return
        }
        promotion = Promotion(
            titles: try titles.int(1...1000), identityKey: try node.required("identityKey").identifier())
    }
}

extension Subscriber {
    init(_ node: CatalogueNode) throws(CatalogueError) {
        try node.members(
            "user", "password", "name", "channels", "maxRating", "metadata", "answers", "denialText", "home", "note")
        var answers: [String: [String]] = [:]
        if let table = node.optional("answers") {
            let known = ["permit"] + ErrorCode.providerAnswers.map(\.rawValue)
            for member in table.value.members ?? [] {
                let child = try table.required(member.name)
                let codes = child.value.string == nil ? try child.strings() : [try child.string()]
                guard !codes.isEmpty else { throw child.fail("should name at least one answer") }
                if let wrong = codes.first(where: { !known.contains($0) }) {
                    throw child.fail("\"\(wrong)\" should be one of: \(known.joined(separator: ", "))")
                }
                answers[member.name] = codes
            }
        }
        var metadata: [JSONObject.Member] = []
        if let child = node.optional("metadata") {
            guard let members = child.value.members else { throw child.fail("should be an object") }
            metadata = members
        }
        self.init(
            user: try node.required("user").string(), password: try node.required("password").string(),
            name: try node.required("name").string(), channels: Set(try node.required("channels").strings()),
            maxRatings: try node.optional("maxRating")?.ratings() ?? [:], metadata: metadata, answers: answers,
            denialText: try node.optional("denialText")?.string(), home: try node.optional("home")?.strings() ?? [],
            note: try node.optional("note")?.string() ?? "")
    }
}

// Reads the parts of the catalogue that connect other parts: integrations, apps, degradation rules, partners.

extension Integration {
    init(_ node: CatalogueNode, _ catalogue: Catalogue) throws(CatalogueError) {
        try node.members(
            "serviceProvider", "provider", "enabled", "authenticationLifetime", "homeAuthenticationLifetime",
            "authorizationLifetime", "authorizeLimit", "preauthorizeLimit", "metadata", "encryptedMetadata",
            "partnerSignOn", "serviceTokenSignOn", "misconfiguration")
        let serviceProvider = try node.required("serviceProvider").reference(
            "service provider", catalogue.serviceProvider)
        let provider = try node.required("provider").reference("provider", catalogue.provider)
        let metadata = Set(try node.optional("metadata")?.strings() ?? [])
        let encrypted = Set(try node.optional("encryptedMetadata")?.strings() ?? [])
        if let extra = encrypted.subtracting(metadata).sorted().first, let child = node.optional("encryptedMetadata") {
            throw child.fail("\"\(extra)\" is not in \"metadata\"")
        }
        var misconfiguration: ErrorCode?
        if let child = node.optional("misconfiguration") {
            misconfiguration = try child.choice(ErrorCode.self)
            guard misconfiguration?.isMisconfiguration == true else {
                throw child.fail("should be one of the invalid_configuration_ codes")
            }
        }
        let partner = try node.optional("partnerSignOn")?.bool() ?? false
        if partner, provider.boarding != .supported || provider.platformMappingID == nil {
            throw node.fail("partner sign-on needs a provider with platformMappingId and boardingStatus SUPPORTED")
        }
        let login = try node.optional("authenticationLifetime")?.duration() ?? .seconds(90 * 86400)
        self.init(
            serviceProvider: serviceProvider.id, provider: provider.id,
            isEnabled: try node.optional("enabled")?.bool() ?? true, authenticationLifetime: login,
            homeAuthenticationLifetime: try node.optional("homeAuthenticationLifetime")?.duration()
                ?? min(login, .seconds(7 * 86400)),
            authorizationLifetime: try node.optional("authorizationLifetime")?.duration() ?? .seconds(86400),
            authorizeLimit: try node.optional("authorizeLimit")?.int(1...100) ?? 1,
            preauthorizeLimit: try node.optional("preauthorizeLimit")?.int(1...100) ?? 5, metadata: metadata,
            encryptedMetadata: encrypted, partnerSignOn: partner,
            serviceTokenSignOn: try node.optional("serviceTokenSignOn")?.bool() ?? true,
            misconfiguration: misconfiguration)
    }
}

extension App {
    init(_ node: CatalogueNode, _ catalogue: Catalogue) throws(CatalogueError) {
        try node.members(
            "id", "name", "title", "version", "serviceProviders", "domains", "schemes", "scopes", "revoked")
        let channels = try node.required("serviceProviders").items().map { child throws(CatalogueError) in
            try child.reference("service provider", catalogue.serviceProvider).id
        }
        self.init(
            id: try node.required("id").identifier(), name: try node.required("name").string(),
            title: try node.optional("title")?.string(), version: try node.required("version").string(),
            serviceProviders: channels, domains: try node.optional("domains")?.domains() ?? [],
            schemes: try node.optional("schemes")?.strings().map { $0.lowercased() } ?? [],
            scopes: try node.required("scopes").strings(), isRevoked: try node.optional("revoked")?.bool() ?? false)
    }
}

extension DegradationRule {
    init(_ node: CatalogueNode, _ catalogue: Catalogue) throws(CatalogueError) {
        try node.members("name", "rule", "provider", "serviceProvider", "message", "active")
        let provider = try node.required("provider").reference("provider", catalogue.provider)
        let serviceProvider = try node.optional("serviceProvider")?.reference(
            "service provider", catalogue.serviceProvider)
        self.init(
            name: try node.required("name").identifier(), kind: try node.required("rule").choice(Kind.self),
            provider: provider.id, serviceProvider: serviceProvider?.id,
            message: try node.optional("message")?.string(), isActive: try node.optional("active")?.bool() ?? false,
            ends: nil)
    }
}

extension Partner {
    init(_ node: CatalogueNode) throws(CatalogueError) {
        try node.members("id", "issuer", "profileType", "deviceType")
        id = try node.required("id").identifier()
        issuer = try node.optional("issuer")?.string() ?? id
        profileType = try node.optional("profileType")?.string() ?? "appleSSO"
        deviceType = try node.optional("deviceType")?.string() ?? id
    }
}
