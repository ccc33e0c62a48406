// A page of the sandbox as it answers a program that asks for JSON.

import PassJSON

struct WebPage {
    struct Form {
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
        guard let page = answer.json, let heading = page["heading"]?.string else { return nil }
        self.heading = heading
        problem = page["problem"]?.string
        form = page["form"].map { form in
            Form(
                action: form["action"]?.string ?? "",
                fields: Dictionary(
                    (form["fields"]?.object?.members ?? []).map { ($0.name, $0.value.string ?? "") },
                    uniquingKeysWith: { first, _ in first }),
                asks: form["asks"]?.array?.compactMap(\.string) ?? [],
                providers: form["providers"]?.array?.compactMap(\.string))
        }
    }
}
