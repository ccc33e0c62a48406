// A value of user metadata, unchanged from the service.

public indirect enum MetadataValue: Hashable, Codable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case list([MetadataValue])
    case object([String: MetadataValue])
}
