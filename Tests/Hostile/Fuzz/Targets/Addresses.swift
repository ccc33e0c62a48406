// Fuzzes addresses and headers: an operator's origin, and the references and header lines of a service.

@testable import PassBackend

/// The first line is a reference or an origin. All lines are headers.
func addresses(_ bytes: [UInt8]) {
    var input = Input(bytes)
    let text = input.text(before: UInt8(ascii: "\n"))
    if let origin = try? Origin(text) {
        expect((try? Origin(origin.description)) == origin, "\(origin) is another origin")
        expect(origin.scheme == .https || origin.isLoopback, "\(origin) is not secure")
        resolve(String(decoding: bytes.dropFirst(text.utf8.count + 1), as: UTF8.self), against: origin)
    }
    if let home { resolve(text, against: home) }
    if let home {
        let query = formEncoded([(text, text)])
        let url = HTTPRequest(.get, home, route: "/{text}/x", [text], query: query, headers: [:]).url
        expect(url.target.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "\(url.target) cannot be sent")
        expect(
            url.path.split(separator: "/", omittingEmptySubsequences: false).count == 3, "\(url.path) is another path")
    }
    if let home, let page = absolute(text, home) {
        expect(page.lowercased().hasPrefix("https://"), "\(page) is not secure")
        expect(page.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "\(page) cannot be shown")
    }
    headers(bytes)
}

private let home = try? Origin("https://sp.example:8443")

private func resolve(_ reference: String, against origin: Origin) {
    guard let url = try? origin.resolving(reference) else { return }
    expect(url.target.hasPrefix("/"), "\(url.target) is no path")
    expect(url.origin.scheme == .https || url.origin.isLoopback, "\(url.origin) is not secure")
    expect((try? origin.resolving(url.text)) == url, "\(url.text) is another address")
}

private func headers(_ bytes: [UInt8]) {
    var reception = Reception(bodyLimit: 1024)
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
        let line = line + [UInt8(ascii: "\n")]
        guard line.withUnsafeBytes({ reception.takeHeader($0) }) else { break }
        if reception.isHeaderComplete { _ = line.withUnsafeBytes { reception.takeBody($0) } }
    }
    expect(reception.headers.fields.count <= Reception.maxHeaders, "there are too many headers")
    expect(reception.body.count <= 1024, "the body is too large")
    let response = HTTPResponse(status: 200, headers: reception.headers)
    if let date = response.date { expect((0...253_402_387_200_000).contains(date), "the date is out of all reason") }
    _ = (V1Origin(response), reception.headers.areSafe)
}
