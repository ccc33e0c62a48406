// Parental ratings in their order, the mildest first.

enum Rating {
    static let order: [String: [String]] = [
        "VCHIP": ["TV-Y", "TV-Y7", "TV-G", "TV-PG", "TV-14", "TV-MA"],
        "MPAA": ["G", "PG", "PG-13", "R", "NC-17"],
    ]

    /// Whether the ratings exceed what the subscriber allows, in any scheme that both name.
    static func exceeds(_ content: [String: String], limit: [String: String]) -> Bool {
        content.contains { scheme, rating in
            guard let order = order[scheme], let limit = limit[scheme].flatMap(order.firstIndex),
                let step = order.firstIndex(of: rating.uppercased())
            else { return false }
            return step > limit
        }
    }
}
