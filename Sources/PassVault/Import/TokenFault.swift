// The reason why a file of an older layout is not a token. It may name elements, but never contains a value.

struct TokenFault: Error, Hashable {
    var explanation: String
    init(_ explanation: String) { self.explanation = explanation }
}
