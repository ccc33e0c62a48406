// Reads the parts of the catalogue that connect others: integrations, apps, degradation rules, partners.

extension Integration {
    init(_ node: CatalogueNode, _ catalogue: Catalogue) throws(CatalogueError) {
        try node.members(
            "serviceProvider", "provider", "enabled", "authenticationLifetime", "homeAuthenticationLifetime",
            "authorizationLifetime", "authorizeLimit", "preauthorizeLimit", "metadata", "encryptedMetadata",
            "partnerSignOn", "serviceTokenSignOn", "misconfiguration")
        let serviceProvider = try node.required("serviceProvider")
        let provider = try node.required("provider")
        guard catalogue.serviceProvider(try serviceProvider.string()) != nil else {
            throw serviceProvider.fail("there is no service provider \"\(try serviceProvider.string())\"")
        }
        guard let known = catalogue.provider(try provider.string()) else {
            throw provider.fail("there is no provider \"\(try provider.string())\"")
        }
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
        if partner, known.boarding != .supported || known.platformMappingID == nil {
            throw node.fail("partner sign-on needs a provider with platformMappingId and boardingStatus SUPPORTED")
        }
        let login = try node.optional("authenticationLifetime")?.duration() ?? .seconds(90 * 86400)
        self.init(
            serviceProvider: try serviceProvider.string(), provider: known.id,
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
        try node.members("id", "name", "version", "serviceProviders", "domains", "schemes", "scopes", "revoked")
        let channels = try node.required("serviceProviders")
        for child in try channels.items() where catalogue.serviceProvider(try child.string()) == nil {
            throw child.fail("there is no service provider \"\(try child.string())\"")
        }
        var domains: [String] = []
        for child in try node.optional("domains")?.items() ?? [] { domains.append(try child.domain()) }
        self.init(
            id: try node.required("id").identifier(), name: try node.required("name").string(),
            version: try node.required("version").string(), serviceProviders: try channels.strings(),
            domains: domains, schemes: try node.optional("schemes")?.strings().map { $0.lowercased() } ?? [],
            scopes: try node.required("scopes").strings(), isRevoked: try node.optional("revoked")?.bool() ?? false)
    }
}

extension DegradationRule {
    init(_ node: CatalogueNode, _ catalogue: Catalogue) throws(CatalogueError) {
        try node.members("name", "rule", "provider", "serviceProvider", "message", "active")
        let provider = try node.required("provider")
        guard catalogue.provider(try provider.string()) != nil else {
            throw provider.fail("there is no provider \"\(try provider.string())\"")
        }
        if let child = node.optional("serviceProvider"), catalogue.serviceProvider(try child.string()) == nil {
            throw child.fail("there is no service provider \"\(try child.string())\"")
        }
        self.init(
            name: try node.required("name").identifier(), kind: try node.required("rule").choice(Kind.self),
            provider: try provider.string(), serviceProvider: try node.optional("serviceProvider")?.string(),
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
