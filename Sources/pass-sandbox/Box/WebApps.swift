// The web apps of a box: the origins of pages, the apps for these origins, and the gateway.

import Glibc
import PassArguments

struct WebApps {
    /// An origin and its app in the catalogue. If the option names no app, the stanzas of all apps admit the origin. The page's
    /// requestor then shows to which app the page belongs, because each requestor belongs to only one app.
    private struct Place {
        let app: String?
        let origin: String
    }

    private let places: [Place]
    let gateway: String
    let port: UInt16

    /// Reads the option `--web`; nil if it is missing.
    init?(_ arguments: Arguments) throws {
        guard let text = arguments[.web] else { return nil }
        var places: [Place] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let origin = words[words.count - 1]
            guard Self.isOrigin(origin) else {
                throw Failure(
                    .usage,
                    "--web \(part): should be an origin as browsers send it, without a path, such as "
                        + "http://localhost:5173, or APP=ORIGIN")
            }
            places.append(Place(app: words.count == 2 ? words[0] : nil, origin: origin))
        }
        self.places = places
        port = try arguments.number(.webPort, in: 0...UInt16.max) ?? 8643
        gateway = try DaemonProgram.gateway()
    }

    /// Whether the daemon accepts the text as an origin. The daemon would not fail at an invalid origin. It would skip the
    /// app's stanza.
    private static func isOrigin(_ text: String) -> Bool {
        for (scheme, usualPort) in [("http://", ":80"), ("https://", ":443")] where text.hasPrefix(scheme) {
            let place = text.dropFirst(scheme.count)
            let isPlain = place.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || ".-_:[]".utf8.contains(byte)
            }
            return isPlain && !place.isEmpty && !place.hasSuffix(usualPort)
        }
        return false
    }

    func check(_ apps: [String]) throws(Failure) {
        for place in places {
            guard let app = place.app, !apps.contains(app) else { continue }
            throw Failure(
                .usage, "--web \(app)=\(place.origin): the apps of the catalogue are \(apps.joined(separator: ", "))")
        }
    }

    /// The part of an app's `allow` that admits its pages.
    func rules(for app: String) -> String {
        places.filter { $0.app == nil || $0.app == app }.map { " user:\(geteuid())+origin:\($0.origin)" }.joined()
    }

    var configuration: String { "[daemon]\nweb-gateway = user:\(geteuid())\n" }

    var description: String {
        places.map { "\($0.origin) (\($0.app ?? "each app"))" }.joined(separator: ", ")
    }
}
