// The two interfaces that a box may be configured for. Tests use the same steps for both; a property of the interface
// says where they differ. Contract: rest-v2.md §19, §21.

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

/// The place of the box's service. A service at home has its pages beside the API, and the configuration names them. A
/// service elsewhere has its pages on another host under other paths, and the configuration names only the origin.
/// Contract: rest-v2.md §1.3, S1.
struct Scene: Sendable, CaseIterable, CustomTestStringConvertible {
    let interface: Interface
    let isForeign: Bool

    static let allCases = Interface.allCases.flatMap { [Scene($0), Scene($0, isForeign: true)] }

    init(_ interface: Interface, isForeign: Bool = false) {
        self.interface = interface
        self.isForeign = isForeign
    }

    var testDescription: String { interface.testDescription + (isForeign ? " elsewhere" : "") }
}
