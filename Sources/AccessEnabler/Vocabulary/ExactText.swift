// A resource's name as a key of sets and dictionaries.

/// Compares byte by byte, because canonically equivalent texts are different resources. Contract: access-enabler.md
/// §13.0.
public struct ExactText: Hashable, Sendable {
    private let bytes: [UInt8]

    public init(_ resource: ResourceID) { bytes = Array(resource.rawValue.utf8) }
}
