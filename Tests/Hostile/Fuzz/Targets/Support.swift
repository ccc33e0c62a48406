// Helpers for the targets: a check that ends the program if it fails, a measure of the heap, and inputs that can be
// split.

import CFuzzer
import Glibc

/// All targets by name. The known inputs are in `corpus/NAME`.
let targets: [String: @Sendable ([UInt8]) -> Void] = [
    "addresses": addresses, "answers": answers, "catalogue": catalogue, "envelopes": envelopes, "forms": forms,
    "frames": frames, "helper": helper, "json": json, "logs": logs, "rows": rows, "sandbox": sandbox,
    "settings": settings, "tokens": tokens,
]

/// libFuzzer reports the end of the program as a finding, and keeps the input.
func expect(_ holds: Bool, _ claim: @autoclosure () -> String, line: Int = #line, file: String = #fileID) {
    if holds { return }
    complain("\(file):\(line): \(claim())")
    abort()
}

func complain(_ text: String) {
    let line = Array((text + "\n").utf8)
    _ = write(2, line, line.count)
}

enum Heap {
    static var bytes: Int { Int(__sanitizer_get_current_allocated_bytes()) }
}

/// The target of this process. libFuzzer calls it on one thread.
enum Chosen {
    nonisolated(unsafe) static var target: ([UInt8]) -> Void = { _ in }
    nonisolated(unsafe) private static var kept = 0

    /// Memory that remains after the target has returned must be a table that is created only once.
    static func fuzz(_ bytes: UnsafeBufferPointer<UInt8>) {
        let before = Heap.bytes
        target(Array(bytes))
        kept += Heap.bytes - before
        expect(kept < 8 << 20, "the target keeps \(kept) bytes of inputs that are over")
    }
}

/// Checks that the value uses at most `most` bytes while it exists.
func within<Value>(_ most: Int, _ make: () -> Value) -> Value {
    let before = Heap.bytes
    let value = make()
    let taken = Heap.bytes - before
    expect(taken <= most, "\(taken) bytes are kept, which may be \(most)")
    return value
}

/// An input that is read piece by piece. At its end, pieces are empty and numbers nil.
struct Input {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isOver: Bool { rest.isEmpty }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    mutating func number() -> Int64 { (0..<8).reduce(0) { sum, _ in sum << 8 | Int64(byte()) } }

    /// Takes the bytes before the next `end`, and drops `end`.
    mutating func piece(before end: UInt8) -> [UInt8] {
        let piece = rest.prefix { $0 != end }
        rest = rest.dropFirst(piece.count + 1)
        return Array(piece)
    }

    mutating func text(before end: UInt8 = 0) -> String { String(decoding: piece(before: end), as: UTF8.self) }
}
