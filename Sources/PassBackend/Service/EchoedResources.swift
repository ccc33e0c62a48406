// Matches the decisions of an answer with the resources that were asked about. Contract: rest-v2.md D1, §20.

import AccessEnabler

extension [ServiceDecision] {
    /// Returns one decision for each resource, in the order of the resources. Compares byte for byte first. The remaining items
    /// are compared without outer blanks, because in the service's samples, answers repeat the names of resources with added
    /// blanks. No item answers two resources.
    func echoing(_ resources: [ResourceID]) -> [ServiceDecision] {
        let asked = Set(resources)
        var found: [ResourceID: ServiceDecision] = [:]
        var rest: [ServiceDecision] = []
        for item in self {
            let name = item.resource
            if !asked.contains(name) { rest.append(item) } else if found[name] == nil { found[name] = item }
        }
        for resource in resources where found[resource] == nil {
            let wanted = Self.trimmed(resource)
            guard let index = rest.firstIndex(where: { Self.trimmed($0.resource) == wanted }) else { continue }
            found[resource] = rest.remove(at: index)
        }
        return resources.map { resource in
            var decision = found[resource] ?? .missing(resource)
            decision.resource = resource
            return decision
        }
    }

    private static func trimmed(_ resource: ResourceID) -> ResourceID {
        var text = resource.rawValue.unicodeScalars[...]
        while text.first?.properties.isWhitespace == true { text.removeFirst() }
        while text.last?.properties.isWhitespace == true { text.removeLast() }
        return ResourceID(rawValue: String(text))
    }
}

extension ServiceDecision {
    /// The decision for a resource that the answer omits. The resource is neither permitted nor denied.
    static func missing(_ resource: ResourceID) -> ServiceDecision {
        ServiceDecision(
            resource: resource, isAuthorized: false, source: .other("missing"),
            error: ServiceError(
                status: 0, code: ServiceError.omittedCode, actionName: "none",
                message: "The service's answer leaves this resource out. It may need no login."))
    }
}
