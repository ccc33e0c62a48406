// All texts for a peer whose call is denied by policy: the reasons, and what to do. A reason has enough detail for the author
// of a stanza. A long list of stanzas is cut. A stranger learns only that no stanza names it, because the content of the
// stanzas is not for strangers. The sentence for the viewer is in `BoxSentence`.

import PassConfiguration
package import PassProtocol

package struct Denial {
    /// A sentence without a full stop.
    let reason: String
    let remedy: String

    var error: RPCError { .denied(reason, remedy: remedy) }

    /// An example, for the description of the protocol.
    package static var example: RPCError {
        let policy = Policy(stanzas: [], ownUser: 0)
        return policy.denial("", of: policy.standing(of: PeerFacts(user: 1000), on: .api)).error
    }

    /// A hint that tells the operator which rules can name a process in a container.
    static let containerHint =
        "the process is in a container; rules with socket: tell such apps apart (APPS IN CONTAINERS in passd.conf(5))"

    // MARK: Denials of the web gateway's call

    static let notGateway = Denial(
        reason: "only the web gateway may speak for a web app, and only once in a connection",
        remedy: "If this is the gateway, name its user and unit in web-gateway of the section [daemon].")
    static let lateClaim = Denial(
        reason: "the web gateway has to name the web app in its first call",
        remedy: "Open a connection for each web app, and call passd.speakFor first.")
}

extension Policy {
    /// Returns the texts for the peer itself. A stranger gets the same reason for every question.
    func denial(_ reason: String, of standing: PeerStanding) -> Denial {
        Denial(reason: standing.isStranger ? stranger(standing.peer, nil) : reason, remedy: remedy(for: standing.peer))
    }

    /// Returns the text that says what to do. Usually the operator has to act; if the daemon runs for a developer, the
    /// developer can act.
    private func remedy(for peer: PeerFacts) -> String {
        guard isForDevelopers else {
            return "Ask the operator for an [app] stanza that allows this. The journal and `passd-cli policy explain` "
                + "say why the call was denied."
        }
        let way =
            peer.origin.map { "Start it with --web \($0) to accept this page." }
            ?? "Put further stanzas into apps.d in its directory."
        return "Allow this in an [app] stanza. `pass-sandbox box` already has a stanza for each app of its catalogue. "
            + "\(way) The daemon's log (passd.log of the box) and `passd-cli policy explain` "
            + "say why the call was denied."
    }

    // MARK: Reasons

    /// The reason why no stanza names the peer, for the journal and the operator.
    func stranger(_ peer: PeerFacts, _ requestor: String?) -> String {
        if let requestor, let mismatch = mismatch(peer, requestor) { return mismatch }
        let end = requestor.map { ", and none lists requestor \(shown($0))" } ?? ""
        let way = peer.origin.map { ", origin \($0)" } ?? peer.socket.map { ", socket \($0)" } ?? ""
        return "no app stanza matches this peer (user \(peer.user)\(way))\(end)"
    }

    /// Returns a text that names the stanza with the requestor, and says why its rules do not match the peer. Returns nil if no
    /// stanza lists the requestor.
    private func mismatch(_ peer: PeerFacts, _ requestor: String) -> String? {
        guard let stanza = listings(of: requestor).first.map({ stanzas[$0] }) else { return nil }
        let obstacles = stanza.allow.prefix(4).compactMap { rule in
            rule.obstacle(to: peer).map { "rule \(rule.text) \($0)" }
        }
        let why = obstacles.isEmpty ? "the stanza has no allow" : obstacles.joined(separator: "; ")
        return "app \(stanza.name) lists requestor \(shown(requestor)), but does not match this peer (\(why))"
    }

    /// Returns the full reason, for the journal and the operator. If only other apps' stanzas list the requestor, the text also
    /// says why they do not match. The peer does not get this addition, because it must not learn the content of other apps'
    /// stanzas.
    func wholeReason(_ reason: String, to standing: PeerStanding, about requestor: String?) -> String {
        guard !standing.isStranger, let requestor, standing.matches(among: listings(of: requestor)).isEmpty,
            let mismatch = mismatch(standing.peer, requestor)
        else { return reason }
        return "\(reason); \(mismatch)"
    }

    /// Says why none of the stanzas that name the peer allows the call.
    func obstacle(_ standing: PeerStanding, capability: Capability, requestor: String?) -> String {
        guard let requestor else {
            let apps = Self.some(standing.matches, separator: ", ") { "app \(stanzas[$0.stanza].name)" }
            return "the setting \"may\" of \(apps) does not list \(capability.rawValue)"
        }
        if let match = standing.matches(among: listings(of: requestor)).first {
            return "the setting \"may\" of app \(stanzas[match.stanza].name) does not list \(capability.rawValue)"
        }
        let apps = Self.some(standing.matches, separator: "; ") { match in
            let stanza = stanzas[match.stanza]
            return "app \(stanza.name) lists "
                + (stanza.requestors.isEmpty ? "none" : Self.some(stanza.requestors, separator: " ") { $0 })
        }
        return "requestor \(shown(requestor)) is not a requestor of this peer (\(apps))"
    }

    private static let maxNamed = 8

    /// Joins the first few items, and says how many more there are.
    static func some<Item>(_ items: [Item], separator: String, text: (Item) -> String) -> String {
        let named = items.prefix(maxNamed).map(text).joined(separator: separator)
        return items.count > maxNamed ? "\(named)\(separator)and \(items.count - maxNamed) more" : named
    }

    /// Cuts a text from the client and puts it on one line.
    private func shown(_ requestor: String) -> String {
        let text = requestor.cut(toBytes: 64)
        return text.onOneLine + (text.utf8.count < requestor.utf8.count ? "…" : "")
    }
}
