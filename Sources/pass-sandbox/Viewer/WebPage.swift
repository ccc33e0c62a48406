// A page of the sandbox as it answers a program that asks for JSON.

import FoundationEssentials

struct WebPage: Decodable {
    struct Form: Decodable {
        let action: String
        /// What the form has before the viewer fills it in.
        let fields: [String: String]
        /// The fields that the viewer types.
        let asks: [String]
        let providers: [String]?
    }

    let heading: String
    let problem: String?
    let form: Form?

    init?(_ answer: HTTPClient.Answer) {
        guard let page = try? JSONDecoder().decode(Self.self, from: Data(answer.body)) else { return nil }
        self = page
    }
}
