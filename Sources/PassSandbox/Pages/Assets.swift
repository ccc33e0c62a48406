// The files that pages load: the fixed files in the directory Assets, and the logos and colours of providers. The address of a
// file changes with its content, so that browsers may cache the file.

import Glibc

struct Asset: Sendable {
    let address: String
    let response: Response

    private init(_ path: String, _ content: [UInt8], type: String, maxAge: Int) {
        address = "\(path)?v=" + hexadecimal(sha256(content).prefix(4))
        response = Self.response(String(decoding: content, as: UTF8.self), type: type, maxAge: maxAge)
    }

    static let style = Asset(
        "/assets/style.css", PackageResources.style_css, type: "text/css;charset=utf-8", maxAge: 31_536_000)
    static let script = Asset(
        "/assets/activate.js", PackageResources.activate_js, type: "text/javascript;charset=utf-8",
        maxAge: 31_536_000)
    static let startScript = Asset(
        "/assets/start.js", PackageResources.start_js, type: "text/javascript;charset=utf-8", maxAge: 31_536_000)
    static let icon = Asset("/favicon.svg", PackageResources.favicon_svg, type: "image/svg+xml", maxAge: 86_400)

    static func response(_ text: String, type: String, maxAge: Int) -> Response {
        .text(
            text, type: type,
            headers: [
                Field("Cache-Control", "public, max-age=\(maxAge)"), Field("X-Content-Type-Options", "nosniff"),
                Field("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
            ])
    }
}

// Draws logos from the catalogue, and makes the stylesheet with a provider's colours.

func providerLogoPath(_ provider: Provider) -> String { "/logos/\(percentEncoded(provider.id)).svg" }

/// The address that the configuration endpoint returns. Contract: rest-v2.md §4 C1.
func providerLogoURL(_ provider: Provider, _ pages: PagesSite) -> String { pages.address(providerLogoPath(provider)) }

func showLogo(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    guard let provider = world.provider(named: call["file"], suffix: ".svg") else { return pageNotFound() }
    return Asset.response(logo(provider).text(), type: "image/svg+xml", maxAge: 3600)
}

func showProviderStyle(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    guard let provider = world.provider(named: call["file"], suffix: ".css") else { return pageNotFound() }
    return Asset.response(provider.look.style, type: "text/css;charset=utf-8", maxAge: 3600)
}

extension World {
    fileprivate func provider(named file: String, suffix: String) -> Provider? {
        file.hasSuffix(suffix) ? catalogue.provider(String(file.dropLast(suffix.count))) : nil
    }
}

extension Provider.Look {
    fileprivate var style: String { ":root { --brand: \(color); --brand-ink: \(readableInk); }\n" }

    /// The address of the provider's stylesheet. The address changes with the colours, so that no browser uses an outdated
    /// stylesheet.
    func styleAddress(of provider: Provider) -> String {
        "/assets/provider/\(percentEncoded(provider.id)).css?v=" + hexadecimal(sha256(style.utf8).prefix(4))
    }
}

private func logo(_ provider: Provider) -> HTML {
    let look = provider.look
    let outline: HTML =
        switch look.shape {
        case .circle: "<circle cx=\"48\" cy=\"48\" r=\"46\"/>"
        case .square: "<rect x=\"4\" y=\"4\" width=\"88\" height=\"88\" rx=\"12\"/>"
        case .diamond: "<path d=\"M48 3 93 48 48 93 3 48Z\" stroke-linejoin=\"round\"/>"
        case .hexagon: "<path d=\"M48 2 89 25V71L48 94 7 71V25Z\" stroke-linejoin=\"round\"/>"
        }
    let size = [0: 44, 1: 44, 2: 34][look.mark.count] ?? 26
    let smaller = look.shape == .diamond ? 6 : 0
    return """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96" role="img" \
        aria-label="\(provider.name)">
        <g fill="\(look.color)" stroke="\(look.readableInk)" stroke-width="2">\(outline)</g>
        <text x="48" y="49" fill="\(look.readableInk)" font-family="system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif" \
        font-size="\(size - smaller)" font-weight="700" text-anchor="middle" dominant-baseline="central">\(look.mark)</text>
        </svg>

        """
}

// A colour, and its contrast with another colour (WCAG 2). The catalogue may name any pair of colours. The pages use only
// readable pairs.

struct Colour: Equatable, Sendable {
    let red: Double
    let green: Double
    let blue: Double

    /// Reads a colour such as `#20508a`.
    init?(_ text: String) {
        guard text.utf8.count == 7, text.hasPrefix("#"), let number = Int(text.dropFirst(), radix: 16) else {
            return nil
        }
        red = Double(number >> 16 & 255) / 255
        green = Double(number >> 8 & 255) / 255
        blue = Double(number & 255) / 255
    }

    /// The contrast, from 1 (the same) to 21 (black on white).
    func contrast(with other: Colour) -> Double {
        let one = luminance + 0.05
        let two = other.luminance + 0.05
        return max(one, two) / min(one, two)
    }

    private var luminance: Double { 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue) }

    private func linear(_ value: Double) -> Double {
        value > 0.04045 ? pow((value + 0.055) / 1.055, 2.4) : value / 12.92
    }
}

extension Provider.Look {
    /// The catalogue's colour of text, unless it is unreadable on the background.
    var readableInk: String {
        guard let background = Colour(color), let wanted = Colour(ink) else { return "#ffffff" }
        if background.contrast(with: wanted) >= 4.5 { return ink }
        guard let white = Colour("#ffffff"), let black = Colour("#000000") else { return ink }
        return background.contrast(with: white) >= background.contrast(with: black) ? "#ffffff" : "#000000"
    }
}
