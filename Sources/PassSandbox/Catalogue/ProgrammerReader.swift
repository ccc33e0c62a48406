// Reads a programmer of the catalogue with its service providers and their resources.

extension Programmer {
    init(_ node: CatalogueNode) throws(CatalogueError) {
        try node.members("id", "name", "metadataKey", "serviceProviders")
        var serviceProviders: [ServiceProvider] = []
        for child in try node.required("serviceProviders").items() {
            serviceProviders.append(try ServiceProvider(child))
        }
        self.init(
            id: try node.required("id").identifier(), name: try node.required("name").string(),
            metadataKey: try node.optional("metadataKey")?.publicKey(), serviceProviders: serviceProviders)
    }
}

extension ServiceProvider {
    init(_ node: CatalogueNode) throws(CatalogueError) {
        try node.members("id", "name", "domains", "resources", "enhancedErrors", "registrationURL")
        var resources: [Resource] = []
        for child in try node.required("resources").items() {
            try child.members("id", "title", "ratings", "gated")
            let ratings = child.optional("ratings")
            resources.append(
                Resource(
                    id: try child.required("id").string(), title: try child.required("title").string(),
                    ratings: try ratings?.ratings() ?? [:],
                    isGated: try child.optional("gated")?.bool() ?? true))
        }
        var domains: [String] = []
        for child in try node.required("domains").items() { domains.append(try child.domain()) }
        self.init(
            id: try node.required("id").identifier(), name: try node.required("name").string(), domains: domains,
            resources: resources, enhancedErrors: try node.optional("enhancedErrors")?.bool() ?? false,
            registrationURL: try node.optional("registrationURL")?.string())
    }
}
