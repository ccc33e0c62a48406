// Estimates how much heap memory a value takes. The estimate follows the rules by which Swift and the C library allocate
// memory. The length of the JSON text does not help, because small arrays and objects take many times that length. A test
// compares the estimate with what the C library reports.

enum HeapSize {
    /// The bytes before the elements of an array or a text: type, reference count, and two words for the size.
    private static let header = 32
    /// Texts of up to this many bytes are stored without an allocation.
    private static let maxInlineSize = 15

    static func ofArray<Element>(_ items: [Element]) -> Int {
        items.capacity == 0 ? 0 : ofBlock(header + items.capacity * MemoryLayout<Element>.stride)
    }

    /// The memory of a text. Before Swift asks the C library for the memory, Swift rounds the size up to a multiple of 16.
    static func ofText(_ count: Int) -> Int { count <= maxInlineSize ? 0 : ofBlock((header + count + 1 + 15) & ~15) }

    /// The memory of a block. Before the block, the C library stores the size of the block, in 8 bytes. It adds these 8 bytes
    /// to the size, and rounds the sum up to a multiple of 16.
    private static func ofBlock(_ bytes: Int) -> Int { (bytes + 8 + 15) & ~15 }
}
