// A time in an answer. Session answers use strings and others integers; both are accepted everywhere. A time before the
// epoch or after the year 9999 is replaced by the nearest in between, so that no arithmetic overflows.
// Contract: rest-v2.md §1.3, §20.

import AccessEnabler

struct Milliseconds: Decodable, Sendable {
    private static let last: Int64 = 253_402_300_799_999

    let time: ServerTime

    init(_ number: Int64) { time = ServerTime(milliseconds: min(max(0, number), Self.last)) }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int64.self) {
            self.init(number)
        } else if let text = try? container.decode(String.self), let number = Int64(text) {
            self.init(number)
        } else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a time in milliseconds")
        }
    }
}
