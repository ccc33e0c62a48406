// The addresses of the pages. Usually the API's server serves the pages, and their addresses are paths. A foreign service
// serves the pages at another host, port and path, like the real service, so all addresses of its pages are absolute.
// rest-v2.md §1.3, S1.

struct PagesSite: Sendable {
    /// Scheme, host and port of the pages.
    var origin: String
    /// The behaviour of a foreign service; nil if the API serves the pages.
    var foreign: ForeignManners?
    /// Whether the pages have their own origin. If so, the API must return absolute addresses.
    var isElsewhere = false

    /// Beginnings of the endpoints' paths, with the replacements at a foreign service. The first match counts.
    private static let names = [("/api/v2/authenticate/", "/go/"), ("/activate", "/link")]

    /// The path of a page for browsers. Other text is returned unchanged.
    func outside(_ path: String) -> String {
        guard let foreign, path.isEmpty || path.hasPrefix("/"), !path.hasPrefix("//") else { return path }
        for (inner, outer) in Self.names where path.hasPrefix(inner) {
            let rest = path.dropFirst(inner.count)
            // `/activate` must not match `/activated`, because these are two different pages.
            if inner.last != "/", let next = rest.first, next != "?" { continue }
            return foreign.prefix + outer + rest
        }
        return foreign.prefix + path
    }

    /// The endpoint's path for a browser's path. Nil if the page does not exist.
    func inside(_ path: String) -> String? {
        guard let foreign else { return path }
        guard path.hasPrefix(foreign.prefix + "/") else { return nil }
        let rest = String(path.dropFirst(foreign.prefix.count))
        for (inner, outer) in Self.names where rest.hasPrefix(outer) {
            let end = rest.dropFirst(outer.count)
            if outer.last == "/" || end.isEmpty { return inner + end }
        }
        let isHidden = Self.names.contains { rest.hasPrefix($0.0) && ($0.0.last == "/" || rest == $0.0) }
        return isHidden || !Router.isForBrowsers(rest) ? nil : rest
    }

    /// The absolute address of a page.
    func address(_ path: String) -> String { origin + outside(path) }

    /// The address of a page in an answer of the API. If the API serves the pages, the address is relative.
    func reference(_ path: String) -> String { foreign != nil || isElsewhere ? address(path) : path }

    /// The answer for a browser at the pages. All links and redirects have the paths for browsers.
    func forBrowser(_ response: Response) -> Response {
        guard foreign != nil else { return response }
        var response = response
        response.headers = response.headers.map { header in
            header.name == "Location" ? Field(header.name, outside(header.value)) : header
        }
        let isPage = response.headers.contains { $0.name == "Content-Type" && $0.value.hasPrefix("text/html") }
        if isPage { response.body = Array(renamed(String(decoding: response.body, as: UTF8.self)).utf8) }
        if let action = response.page?.form?.action { response.page?.form?.action = outside(action) }
        return response
    }

    /// The answer for a client of the API. Redirects lead to the pages.
    func forClient(_ response: Response) -> Response {
        guard foreign != nil else { return response }
        var response = response
        response.headers = response.headers.map { header in
            let isPath = header.name == "Location" && header.value.hasPrefix("/") && !header.value.hasPrefix("/api/v1/")
            return isPath ? Field(header.name, address(header.value)) : header
        }
        return response
    }

    private func renamed(_ page: String) -> String {
        var out = ""
        var rest = page[...]
        while let next = Self.attributes.compactMap({ rest.firstRange(of: $0) }).min(by: {
            $0.lowerBound < $1.lowerBound
        }) {
            out += rest[..<next.upperBound]
            rest = rest[next.upperBound...]
            let value = rest.prefix { $0 != "\"" }
            out += outside(String(value))
            rest = rest[value.endIndex...]
        }
        return out + rest
    }

    private static let attributes = ["href=\"", "src=\"", "action=\""]
}
