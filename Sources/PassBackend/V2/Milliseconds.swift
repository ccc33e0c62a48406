// A time as the service writes it: a string in session answers, an integer elsewhere; either is taken anywhere.
// Contract: rest-v2.md §1.3, §20.

import AccessEnabler

struct Milliseconds: Decodable, Sendable {
    let time: ServerTime

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int64.self) {
            time = ServerTime(milliseconds: number)
        } else if let text = try? container.decode(String.self), let number = Int64(text) {
            time = ServerTime(milliseconds: number)
        } else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a time in milliseconds")
        }
    }
}
