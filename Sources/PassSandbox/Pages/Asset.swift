// Files that are the same for everyone. Their address changes with their content, so that browsers may keep them.

struct Asset: Sendable {
    let address: String
    let response: Response

    private init(_ path: String, _ text: String, type: String, maxAge: Int) {
        address = "\(path)?v=" + hexadecimal(sha256(text.utf8).prefix(4))
        response = Self.response(text, type: type, maxAge: maxAge)
    }

    static let style = Asset(
        "/assets/style.css", [baseStyle, viewerStyle, brandStyle, developerStyle].joined(separator: "\n"),
        type: "text/css;charset=utf-8", maxAge: 31_536_000)
    static let script = Asset(
        "/assets/activate.js", activationScript, type: "text/javascript;charset=utf-8", maxAge: 31_536_000)
    static let icon = Asset("/favicon.svg", drawing, type: "image/svg+xml", maxAge: 86_400)

    static func response(_ text: String, type: String, maxAge: Int) -> Response {
        .text(
            text, type: type,
            headers: [
                Field("Cache-Control", "public, max-age=\(maxAge)"), Field("X-Content-Type-Options", "nosniff"),
                Field("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
            ])
    }

    private static let drawing = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="32" height="32">
        <rect x="1" y="4" width="30" height="20" rx="4" fill="#1f4fbf" stroke="#dbe6ff" stroke-width="1.5"/>
        <path d="M10 14.5 14.5 19 22.5 10" fill="none" stroke="#ffffff" stroke-width="3" stroke-linecap="round" \
        stroke-linejoin="round"/>
        <path d="M10 28.5H22" stroke="#5b83e0" stroke-width="3" stroke-linecap="round"/>
        </svg>

        """
}
