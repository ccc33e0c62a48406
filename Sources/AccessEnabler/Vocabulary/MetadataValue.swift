// A value of user metadata as it came: text, number, list or object.

public indirect enum MetadataValue: Hashable, Codable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case list([MetadataValue])
    case object([String: MetadataValue])
}
