// Reads the `settings` object of the catalogue.

extension Settings {
    init(_ node: CatalogueNode) throws(CatalogueError) {
        try node.members(
            "strict", "throttle", "sessionLifetime", "accessTokenLifetime", "clientLifetime", "mediaTokenLifetime",
            "degradedLifetime", "serviceTokenLifetime", "linkLifetime", "denialLifetime", "tokenStatusOK",
            "createdAtInSeconds", "omitScopes", "omitTokenID", "refuseRegistration", "trustFirstUse",
            "metadataPadding", "bindToClient", "deviceSignOn", "splitCommas", "decisionMetadata", "anyRedirect",
            "foreign")
        func flag(_ name: String, _ place: WritableKeyPath<Settings, Bool>) throws(CatalogueError) {
            if let child = node.optional(name) { self[keyPath: place] = try child.bool() }
        }
        func time(_ name: String, _ place: WritableKeyPath<Settings, Duration>) throws(CatalogueError) {
            if let child = node.optional(name) { self[keyPath: place] = try child.duration() }
        }
        try flag("strict", \.strict)
        try flag("tokenStatusOK", \.tokenStatusOK)
        try flag("createdAtInSeconds", \.createdAtInSeconds)
        try flag("omitScopes", \.omitScopes)
        try flag("omitTokenID", \.omitTokenID)
        try flag("trustFirstUse", \.trustFirstUse)
        try flag("bindToClient", \.bindToClient)
        try flag("deviceSignOn", \.deviceSignOn)
        try flag("splitCommas", \.splitCommas)
        try flag("anyRedirect", \.anyRedirect)
        try time("sessionLifetime", \.sessionLifetime)
        try time("accessTokenLifetime", \.accessTokenLifetime)
        try time("mediaTokenLifetime", \.mediaTokenLifetime)
        try time("degradedLifetime", \.degradedLifetime)
        try time("serviceTokenLifetime", \.serviceTokenLifetime)
        try time("linkLifetime", \.linkLifetime)
        try time("denialLifetime", \.denialLifetime)
        clientLifetime = try node.optional("clientLifetime")?.duration()
        refuseRegistration = try node.optional("refuseRegistration")?.choice(RegistrationError.self).rawValue
        if let child = node.optional("metadataPadding") { metadataPadding = try child.choice(RSAPadding.self) }
        decisionMetadata = try node.optional("decisionMetadata")?.choice(DecisionMetadata.self)
        if let child = node.optional("foreign") { foreign = try ForeignManners(child) }
        if let child = node.optional("throttle") {
            try child.members("rate", "burst", "oneTimeBurst")
            if let rate = child.optional("rate") { throttle.rate = try rate.number(0.001...1_000_000) }
            if let burst = child.optional("burst") { throttle.burst = Double(try burst.int(0...100_000)) }
            if let once = child.optional("oneTimeBurst") { throttle.oneTimeBurst = try once.bool() }
        }
    }
}

extension ForeignManners {
    init(_ node: CatalogueNode) throws(CatalogueError) {
        try node.members("prefix", "emptyAnswers")
        if let child = node.optional("prefix") {
            let text = try child.string()
            let isPath = text.hasPrefix("/") && text.utf8.count > 1 && text.last != "/" && !text.contains("//")
            guard isPath, text.utf8.allSatisfy({ $0.isPathByte }) else {
                throw child.fail("should be a path such as /enter")
            }
            prefix = text
        }
        if let child = node.optional("emptyAnswers") { emptyAnswers = try child.bool() }
    }
}

extension UInt8 {
    /// Letters, digits, `-`, `_` and `/`.
    fileprivate var isPathByte: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F, 0x2F: true
        default: false
        }
    }
}
