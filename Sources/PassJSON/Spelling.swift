// Finds the known word that is most similar to a mistyped word.

package enum Spelling {
    /// The max size of a word, in bytes. Comparing a longer word would cost more than a suggestion is worth.
    private static let maxWordSize = 64

    /// Returns the most similar word; nil if more than half of each known word would have to change.
    package static func nearest(to word: String, among known: [String]) -> String? {
        guard word.utf8.count <= maxWordSize else { return nil }
        let ranked = known.map { ($0, edits(from: Array(word.utf8), to: Array($0.utf8))) }
        guard let best = ranked.min(by: { $0.1 < $1.1 }), best.1 <= max(2, best.0.utf8.count / 2) else { return nil }
        return best.0
    }

    /// Counts the bytes to insert, remove or replace, ignoring upper and lower case.
    package static func edits(from left: [UInt8], to right: [UInt8]) -> Int {
        var row = Array(0...right.count)
        for (i, a) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, b) in right.enumerated() {
                let step = a | 0x20 == b | 0x20 ? 0 : 1
                (diagonal, row[j + 1]) = (row[j + 1], min(diagonal + step, row[j] + 1, row[j + 1] + 1))
            }
        }
        return row[right.count]
    }
}
