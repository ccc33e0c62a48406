// Why a file of an older layout is no token. Names of elements are in it and never a value.

struct TokenFault: Error, Hashable {
    var explanation: String
    init(_ explanation: String) { self.explanation = explanation }
}
