// Prints what `describe` knows of an error, status, code, type, member or word.

import PassJSON

struct ExplanationPage {
    let text: String

    init(_ entry: JSONValue, document: JSONValue, paint: Paint) {
        let (entry, schemas) = (entry.onOneLine, Schemas(document.onOneLine))
        let kind = entry["kind"]?.string ?? ""
        var lines = ["\(paint.strong(entry["name"]?.string ?? "")) (\(kind))"]
        if let meaning = entry["meaning"]?.string { lines.append("  \(meaning)") }
        if let remedy = entry["remedy"]?.string { lines.append("  What to do: \(remedy)") }
        var parts = [lines.joined(separator: "\n")]
        if let schema = entry["schema"] {
            let members = schemas.members(schema)
            if !members.isEmpty { parts.append("members:\n" + Table.columns(members, paint: paint)) }
            let words = (schema["enum"]?.array ?? []).compactMap(\.string).filter { !$0.isEmpty }
            if !words.isEmpty { parts.append("words:\n  " + words.joined(separator: ", ")) }
        }
        if let failing = entry["errorOf"]?.array {
            parts.append(
                "as data.code of -32011, of the methods:\n  " + failing.compactMap(\.string).joined(separator: ", "))
        }
        let places = (entry["places"]?.array ?? []).map { place in
            schemas.row(
                place["place"]?.string ?? "", schema: place["schema"] ?? .null, need: nil,
                summary: place["summary"]?.string)
        }
        if !places.isEmpty { parts.append("where:\n" + Table.columns(places, paint: paint)) }
        text = parts.joined(separator: "\n")
    }
}
