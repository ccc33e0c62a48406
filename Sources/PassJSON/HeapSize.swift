// How much of the heap values take, by the way in which Swift and the C library keep them: small arrays and objects take
// many times the length of their text. A test holds it against what the library says it has given.

enum HeapSize {
    /// Type, count of references, and two words that tell the size.
    private static let header = 32
    /// Texts up to here are kept in place.
    private static let longestInPlace = 15

    static func ofArray<Element>(_ items: [Element]) -> Int {
        items.capacity == 0 ? 0 : ofBlock(header + items.capacity * MemoryLayout<Element>.stride)
    }

    /// Swift fills what it asks for up to a multiple of 16, too.
    static func ofText(_ count: Int) -> Int { count <= longestInPlace ? 0 : ofBlock((header + count + 1 + 15) & ~15) }

    /// Each has its size in front of it and begins at a multiple of 16.
    private static func ofBlock(_ bytes: Int) -> Int { (bytes + 8 + 15) & ~15 }
}
