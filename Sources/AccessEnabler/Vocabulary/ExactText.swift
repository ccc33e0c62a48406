/// A resource's name that is compared byte by byte: canonically equivalent texts are different resources. Contract:
/// access-enabler.md §13.0.
public struct ExactText: Hashable, Sendable {
    private let bytes: [UInt8]

    public init(_ resource: ResourceID) { bytes = Array(resource.rawValue.utf8) }
}
