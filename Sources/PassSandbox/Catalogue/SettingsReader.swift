// Reads the `settings` object of the catalogue.

extension Settings {
    init(_ node: CatalogueNode) throws(CatalogueError) {
        try node.members(
            "strict", "throttle", "sessionLifetime", "accessTokenLifetime", "clientLifetime", "mediaTokenLifetime",
            "degradedLifetime", "serviceTokenLifetime", "linkLifetime", "denialLifetime", "tokenStatusOK",
            "createdAtInSeconds", "omitScopes", "omitTokenID", "refuseRegistration", "trustFirstUse",
            "metadataPadding", "bindToClient", "deviceSignOn", "splitCommas")
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
        if let child = node.optional("throttle") {
            try child.members("rate", "burst", "oneTimeBurst")
            if let rate = child.optional("rate") { throttle.rate = try rate.number(0.001...1_000_000) }
            if let burst = child.optional("burst") { throttle.burst = Double(try burst.int(0...100_000)) }
            if let once = child.optional("oneTimeBurst") { throttle.oneTimeBurst = try once.bool() }
        }
    }
}
