// What to say of a word that is not known.

import PassJSON

func nearest(_ word: String, _ known: [String], else otherwise: String) -> String {
    Spelling.nearest(to: word, among: known).map { "Did you mean \($0)?" } ?? otherwise
}
