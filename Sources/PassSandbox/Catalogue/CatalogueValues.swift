// Reads values of the catalogue that have a special form: keys, domains, colours, ratings.

extension CatalogueNode {
    func publicKey() throws(CatalogueError) -> PublicKey {
        guard let key = PublicKey(pem: try string()) else { throw fail("is not a public key in PEM format") }
        return key
    }

    func domain() throws(CatalogueError) -> String {
        let text = try string().lowercased()
        guard text.utf8.allSatisfy({ isIdentifierByte($0) || $0 == UInt8(ascii: ":") }), !text.hasPrefix(".") else {
            throw fail("\"\(text)\" is not the name of a host or domain")
        }
        return text
    }

    func color() throws(CatalogueError) -> String {
        let text = try string()
        guard text.utf8.count == 7, text.hasPrefix("#"), text.dropFirst().allSatisfy(\.isHexDigit) else {
            throw fail("should be a colour such as #20508a")
        }
        return text
    }

    func ratings() throws(CatalogueError) -> [String: String] {
        let ratings = try dictionary()
        for (scheme, rating) in ratings where Rating.order[scheme]?.contains(rating) != true {
            throw fail("\"\(rating)\" is not a rating of \(scheme); use MPAA or VCHIP with their usual ratings")
        }
        return ratings
    }
}
