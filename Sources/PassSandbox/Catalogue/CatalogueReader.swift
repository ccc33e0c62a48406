// Reads the catalogue. Everything is checked here, including references between its parts, so that the service never
// meets a provider that does not exist.

import PassJSON

extension Catalogue {
    /// Reads a catalogue. An error names the place and the reason; the caller adds the file.
    static func read(_ bytes: [UInt8]) throws(CatalogueError) -> Catalogue {
        let root = try CatalogueNode(bytes)
        try root.members(
            "settings", "programmers", "providers", "integrations", "apps", "degradations", "partners", "platformKeys",
            "identityServices")
        var catalogue = Catalogue()
        if let node = root.optional("settings") { catalogue.settings = try Settings(node) }
        catalogue.programmers = try list(root.required("programmers"), by: \.id) { node throws(CatalogueError) in
            try Programmer(node)
        }
        catalogue.providers = try list(root.required("providers"), by: \.id) { node throws(CatalogueError) in
            try Provider(node)
        }
        catalogue.integrations = try list(
            root.required("integrations"), by: { "\($0.serviceProvider) with \($0.provider)" }
        ) { node throws(CatalogueError) in try Integration(node, catalogue) }
        catalogue.apps = try list(root.required("apps"), by: \.id) { node throws(CatalogueError) in
            try App(node, catalogue)
        }
        if let node = root.optional("degradations") {
            catalogue.degradations = try list(node, by: \.name) { node throws(CatalogueError) in
                try DegradationRule(node, catalogue)
            }
        }
        if let node = root.optional("partners") {
            catalogue.partners = try list(node, by: { $0.id.lowercased() }) { node throws(CatalogueError) in
                try Partner(node)
            }
        }
        for node in try root.optional("platformKeys")?.items() ?? [] {
            try node.members("kid", "pem")
            catalogue.platformKeys[try node.required("kid").string()] = try node.required("pem").publicKey()
        }
        for node in try root.optional("identityServices")?.items() ?? [] {
            try node.members("iss", "pem", "secret")
            let secret = try node.optional("secret")?.string()
            if secret != nil, let pem = node.optional("pem") { throw pem.fail("should not stand beside \"secret\"") }
            let key: IdentityService.Key =
                if let secret { .secret(secret) } else { .pair(try node.required("pem").publicKey()) }
            catalogue.identityServices.append(IdentityService(issuer: try node.required("iss").string(), key: key))
        }
        try catalogue.checkReferences(root)
        return catalogue
    }

    private static func list<Item>(
        _ node: CatalogueNode, by key: (Item) -> String, _ read: (CatalogueNode) throws(CatalogueError) -> Item
    ) throws(CatalogueError) -> [Item] {
        var items: [Item] = []
        var seen: Set<String> = []
        for child in try node.items() {
            let item = try read(child)
            guard seen.insert(key(item)).inserted else { throw child.fail("\"\(key(item))\" appears twice") }
            items.append(item)
        }
        return items
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
