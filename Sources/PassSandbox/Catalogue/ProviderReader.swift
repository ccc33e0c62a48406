// Reads a provider of the catalogue with its subscribers.

import PassJSON

extension Provider {
    init(_ node: CatalogueNode) throws(CatalogueError) {
        try node.members(
            "id", "name", "look", "proxy", "loginPerRequestor", "logoutPage", "samlForm", "platformMappingId",
            "boardingStatus",
            "requiredMetadataFields", "tempPass", "subscribers")
        var subscribers: [Subscriber] = []
        for child in try node.optional("subscribers")?.items() ?? [] {
            let subscriber = try Subscriber(child)
            guard !subscribers.contains(where: { $0.user == subscriber.user }) else {
                throw child.fail("the user \"\(subscriber.user)\" appears twice")
            }
            subscribers.append(subscriber)
        }
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
            tempPass: try tempPass.map { node throws(CatalogueError) in try TempPass(node) }, subscribers: subscribers)
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
