// The parameters of a call. The query wins over the form; a name that occurs twice with different values is an error.
// Contract: rest-v1.md §9, open-questions.md OQ-34.

struct Parameters: Sendable {
    private let query: [Field]
    private let form: [Field]

    init(_ request: Request, repeatable: Set<String> = []) throws(Refusal) {
        query = request.query
        form = request.form ?? []
        for fields in [query, form] where fields.filter({ !repeatable.contains($0.name) }).contradictsItself {
            throw .badRequest("A parameter is given twice with different values")
        }
    }

    /// The value of a parameter. An empty value counts as absent.
    subscript(name: String) -> String? { query.one(name) ?? form.one(name) }

    /// All values of a parameter; nil if the name does not occur.
    func all(_ name: String) -> [String]? {
        let values = query.all(name).isEmpty ? form.all(name) : query.all(name)
        return values.isEmpty ? nil : values
    }

    func required(_ name: String, _ code: V1ErrorCode = .badRequest) throws(Refusal) -> String {
        guard let value = self[name] else { throw .v1(.missing(name, code)) }
        return value
    }
}
