// Suggests a known word for an unknown one.

import PassJSON

func nearest(_ word: String, _ known: [String], else otherwise: String) -> String {
    Spelling.nearest(to: word, among: known).map { "Did you mean \($0)?" } ?? otherwise
}
