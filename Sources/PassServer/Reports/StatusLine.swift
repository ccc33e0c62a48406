// The text that `systemctl status` shows below the unit. It tells people what the daemon does. operations.md §3.

import AccessEnabler
import PassConfiguration
import PassJSON
package import PassProtocol

package struct StatusLine: Equatable {
    package var apps: Int
    package var providers: [String]
    package var openLogins = 0
    /// The time to the next poll. Zero or less during a poll; nil if no poll is planned.
    package var nextPoll: Duration?
    package var warnings = 0
    package var hasService = true
    package var instance: InstanceName?

    package var text: String {
        var parts = hasService ? [] : ["no service configured"]
        parts.append(Self.count(apps, "app"))
        parts.append(providers.isEmpty ? "nobody is signed in" : Self.signedIn(providers))
        if openLogins > 0 { parts.append(Self.count(openLogins, "open login")) }
        if let nextPoll { parts.append(nextPoll > .zero ? "next poll in \(nextPoll.inWords)" : "polling") }
        if warnings > 0 { parts.append(Self.count(warnings, "warning") + ", see passd-cli \(option)doctor") }
        return parts.joined(separator: ", ")
    }

    /// Names the providers. Their names come from the service, so they are cut, put on one line and limited in number.
    private static func signedIn(_ providers: [String]) -> String {
        let shown = providers.prefix(4).map { $0.cut(toBytes: 64).onOneLine }
        let more = providers.count > shown.count ? " and \(providers.count - shown.count) more" : ""
        return "signed in with " + shown.joined(separator: " and ") + more
    }

    private var option: String { instance.map { "--instance \($0.text) " } ?? "" }

    private static func count(_ number: Int, _ thing: String) -> String {
        number == 0 ? "no \(thing)s" : number == 1 ? "1 \(thing)" : "\(number) \(thing)s"
    }
}

extension Server {
    package func statusLine() -> StatusLine {
        var line = StatusLine(
            apps: clients.all.count { $0.socket == .api }, providers: engine.signedInWith,
            openLogins: engine.openLoginKeys.count, warnings: knownWarnings.count)
        (line.instance, line.hasService) = (parts.instance, state.loaded.configuration.backend.origin != nil)
        let now = parts.clock.boot
        line.nextPoll = engine.nextPoll.map { now.duration(to: $0) }
        return line
    }
}
