// Estimates how much heap values take in Swift and the C library: small arrays and objects take many times the length
// of their text. A test compares it with what the library reports.

enum HeapSize {
    /// The type, the reference count, and two words for the size.
    private static let header = 32
    /// Texts of up to this many bytes need no heap.
    private static let longestInPlace = 15

    static func ofArray<Element>(_ items: [Element]) -> Int {
        items.capacity == 0 ? 0 : ofBlock(header + items.capacity * MemoryLayout<Element>.stride)
    }

    /// Swift rounds the size up to a multiple of 16 as well.
    static func ofText(_ count: Int) -> Int { count <= longestInPlace ? 0 : ofBlock((header + count + 1 + 15) & ~15) }

    /// Each block is preceded by its size and begins at a multiple of 16.
    private static func ofBlock(_ bytes: Int) -> Int { (bytes + 8 + 15) & ~15 }
}
