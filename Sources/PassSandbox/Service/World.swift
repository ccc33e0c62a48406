// The data of the endpoints: the catalogue, the state, and the sandbox's public address. A call makes all of its changes or
// none.

import FoundationEssentials
import Glibc

struct World: Sendable {
    var catalogue: Catalogue
    /// The integrations that a control has ended or renewed, by their place in the catalogue.
    var changedIntegrations: Set<Int> = []
    /// The secret in the form of the start page, so that other pages cannot press its buttons.
    let formToken: String = {
        var random = SeededRandom.fromKernel()
        return random.identifier()
    }()
    /// The last pressed button, and the answer.
    var lastPress: String?
    /// Scheme, host and port for viewers and clients, such as `http://127.0.0.1:8642`.
    var origin: String
    /// Scheme, host and port of the pages, if the pages are on another host or have a public address. Nil if the pages have the
    /// same origin as the API.
    var pagesOrigin: String?
    var state: State
    /// Whether the number of wrong codes and passwords is limited.
    var limitsGuesses = true
    /// The wall clock. `POST /sandbox/clock` shifts the service's time relative to this clock.
    var wall = systemTime
    var throttle: Throttle?
    var faults = Faults()
    var journal = RequestJournal()
    /// A second generator, for trace ids and the probability of faults. This generator is not in the state file.
    var dice: SeededRandom
    /// A copy of the generator from the first start; nil without a seed. A reset uses this copy, so that the numbers begin
    /// again.
    var restart: SeededRandom?

    /// The only clock of the service. All start and end times come from this clock.
    var now: Instant { wall() &+ state.singles.clockOffset }

    var pages: PagesSite {
        PagesSite(origin: pagesOrigin ?? origin, foreign: settings.foreign, isElsewhere: pagesOrigin != nil)
    }

    var settings: Settings { catalogue.settings }

    /// Whether a browser may be sent to a URL. A web address must be on a domain of the service provider or the app, or have
    /// the origin of the pages. Any other address must have a scheme of the app, or be `registeredEverywhere`. Contract: dcr.md
    /// §2, rest-v2.md S1.
    func isRegistered(_ url: URLText, for serviceProvider: ServiceProvider, app: App?) -> Bool {
        if settings.anyRedirect { return true }
        if url.isWeb {
            let domains = serviceProvider.domains + (app?.domains ?? [])
            return domains.contains(where: url.isOn) || url.origin == pages.origin
        }
        return url.text == registeredEverywhere || app?.schemes.contains(url.scheme) ?? false
    }

    func app(of client: Client) -> App? { catalogue.app(client.app) }

    func isRevoked(_ app: App) -> Bool { app.isRevoked || state.revokedApps[app.id] != nil }
}

/// A time in milliseconds since the epoch.
typealias Instant = Int64

let systemTime: @Sendable () -> Instant = { Instant(Date().timeIntervalSince1970 * 1000) }

/// The instant in the form of RFC 9110, for `Date:`.
func httpDate(_ instant: Instant) -> String {
    var seconds = Int((instant - (instant % 1000 + 1000) % 1000) / 1000)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    var text = [CChar](repeating: 0, count: 64)
    let count = strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
    return String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
}
