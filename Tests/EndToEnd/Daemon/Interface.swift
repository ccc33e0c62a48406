// The two interfaces that a box may be configured for. Journeys are the same for both; a trait of the interface says
// where they differ. Contract: rest-v2.md §19, §21.

import AccessEnabler
import PassBackend
import Testing

enum Interface: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case v1, v2

    var testDescription: String { self == .v1 ? "REST V1" : "REST V2" }

    var traits: BackendTraits {
        switch self {
        case .v1: V1Backend.traits
        case .v2: V2Backend.traits
        }
    }

    /// The app's id in the sandbox's catalogue. Each interface has a registration of its own.
    func registered(_ app: String) -> String {
        switch (self, app) {
        case (.v2, _): app
        case (.v1, "lumen-tv"): "lumen-legacy"
        case (.v1, _): app + "-legacy"
        }
    }
}
