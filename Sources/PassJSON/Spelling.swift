// Finds the known word that a misspelt one most likely means.

package enum Spelling {
    /// Longer words are not compared, because that costs more than the suggestion is worth.
    private static let longestWord = 64

    /// Nil if no word is near, that is, if more than half of the known word would change.
    package static func nearest(to word: String, among known: [String]) -> String? {
        guard word.utf8.count <= longestWord else { return nil }
        let ranked = known.map { ($0, edits(from: Array(word.utf8), to: Array($0.utf8))) }
        guard let best = ranked.min(by: { $0.1 < $1.1 }), best.1 <= max(2, best.0.utf8.count / 2) else { return nil }
        return best.0
    }

    /// How many bytes have to be inserted, removed or replaced, regardless of case.
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
