// Why a file of an older layout is not a valid token. It may contain names of elements but no values.

struct TokenFault: Error, Hashable {
    var explanation: String
    init(_ explanation: String) { self.explanation = explanation }
}
