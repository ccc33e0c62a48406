// Matches the items of an answer with the resources that were asked about. Contract: rest-v2.md D1, §20.

import AccessEnabler

/// Compares byte for byte first. Samples echo resources with added blanks, so the remaining items are matched without
/// outer blanks. No item answers two resources.
func echoed<Item>(
    _ items: [Item], for resources: [ResourceID], _ name: (Item) -> String
) -> [ExactText: Item] {
    let asked = Set(resources.map(ExactText.init))
    var found: [ExactText: Item] = [:]
    var rest: [Item] = []
    for item in items {
        let exact = ExactText(ResourceID(rawValue: name(item)))
        if !asked.contains(exact) { rest.append(item) } else if found[exact] == nil { found[exact] = item }
    }
    for resource in resources where found[ExactText(resource)] == nil {
        let wanted = trimmed(resource.rawValue)
        guard let index = rest.firstIndex(where: { trimmed(name($0)) == wanted }) else { continue }
        found[ExactText(resource)] = rest.remove(at: index)
    }
    return found
}

private func trimmed(_ text: String) -> ExactText {
    var text = text.unicodeScalars[...]
    while text.first?.properties.isWhitespace == true { text.removeFirst() }
    while text.last?.properties.isWhitespace == true { text.removeLast() }
    return ExactText(ResourceID(rawValue: String(text)))
}

extension ServiceDecision {
    /// The decision for a resource that the answer omits: it is neither permitted nor denied.
    static func missing(_ resource: ResourceID) -> ServiceDecision {
        ServiceDecision(
            resource: resource, isAuthorized: false, source: .other("missing"),
            error: ServiceError(
                status: 0, code: ServiceError.omittedCode, actionName: "none",
                message: "The service's answer leaves this resource out. It may need no login."))
    }
}
