// A large value that is rarely set. While it is nil, it takes one word of memory.

@propertyWrapper struct Rare<Value: Sendable>: Sendable {
    private indirect enum Place {
        case empty
        case full(Value)
    }

    private var place: Place

    init(wrappedValue: Value?) { place = wrappedValue.map { .full($0) } ?? .empty }

    var wrappedValue: Value? {
        get { if case .full(let value) = place { value } else { nil } }
        set { self = Rare(wrappedValue: newValue) }
    }
}
