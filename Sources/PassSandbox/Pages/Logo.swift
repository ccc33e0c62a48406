// Draws logos from the catalogue, and makes the stylesheet with a provider's colours.

func providerLogoPath(_ provider: Provider) -> String { "/logos/\(percentEncoded(provider.id)).svg" }

/// The address that the configuration endpoint returns. Contract: rest-v2.md §4 C1.
func providerLogoURL(_ provider: Provider, _ pages: PagesSite) -> String { pages.address(providerLogoPath(provider)) }

func showLogo(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    guard let provider = world.provider(named: call["file"], suffix: ".svg") else { return pageNotFound() }
    return Asset.response(logo(provider).text, type: "image/svg+xml", maxAge: 3600)
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

    /// The address changes with the colours, so that no browser uses an outdated stylesheet.
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
