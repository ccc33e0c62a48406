// The known word that a mistyped one most likely means.

func nearest(_ word: String, _ known: [String], else otherwise: String) -> String {
    let typed = Array(word.lowercased().utf8.prefix(64))
    let rated = known.map { ($0, edits(Array($0.lowercased().utf8), typed)) }
    guard let best = rated.min(by: { $0.1 < $1.1 }), best.1 <= max(2, best.0.count / 2) else { return otherwise }
    return "Did you mean \(best.0)?"
}

/// How many bytes have to be put in, taken out or replaced.
private func edits(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var row = Array(0...right.count)
    for (i, a) in left.enumerated() {
        var diagonal = row[0]
        row[0] = i + 1
        for (j, b) in right.enumerated() {
            (diagonal, row[j + 1]) = (row[j + 1], min(diagonal + (a == b ? 0 : 1), row[j] + 1, row[j + 1] + 1))
        }
    }
    return row[right.count]
}
