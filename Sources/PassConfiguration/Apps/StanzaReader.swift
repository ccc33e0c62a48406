// Reads one app stanza, key by key, and collects its problems.

import PassBackend
import PassJSON
import PassProtocol

struct StanzaReader {
    static let maxItems = 64

    private(set) var stanza: AppStanza
    private(set) var problems: [Problem] = []
    /// Whether a part of the stanza was not understood. If so, the whole stanza must not be used.
    private(set) var isBroken = false
    private let resources: StanzaResources
    private var seen: Set<AppKey> = []

    init(_ name: String, at place: FilePosition, _ resources: StanzaResources) {
        stanza = AppStanza(name, at: place)
        self.resources = resources
    }

    mutating func take(_ entry: INIText.Entry) {
        let place = FilePosition(stanza.place.file, entry.line)
        guard let key = AppKey(rawValue: entry.key) else {
            let nearest = Spelling.nearest(to: entry.key, among: AppKey.allCases.map(\.rawValue))
            problems.append(
                Problem(
                    .ignored, place: place,
                    message: "unknown key \"\(entry.key.prefix(64))\" in [app \(stanza.name)]"
                        + (nearest.map { "; did you mean \($0)?" } ?? "")))
            return
        }
        // Unlike a setting, a key of a stanza must not occur twice. The author of two `allow` lines probably wants the rules of
        // both lines, and not only those of the last line.
        guard seen.insert(key).inserted else { return refuse(place, "\(key.rawValue) occurs twice in this stanza") }
        stanza.places[key] = place
        if entry.value.isEmpty { return }
        do throws(ValueFault) { try take(key, text: entry.value, place: place) } catch {
            refuse(place, "\(key.rawValue) = \(Problem.shown(entry.value)): \(error)")
        }
    }

    mutating func finish() {
        if isBroken { return }
        if let problem = stanza.statementEnd(at: resources.now()) { problems.append(problem) }
        if stanza.allow.isEmpty {
            warn(stanza.place, "app \(stanza.name) has no allow, so passd accepts no process as this app")
        }
        if stanza.requestors.isEmpty, stanza.may.contains(.entitlement) {
            warn(stanza.place, "app \(stanza.name) has no requestors, so it may not ask for any channel")
        }
    }

    private mutating func take(_ key: AppKey, text: String, place: FilePosition) throws(ValueFault) {
        switch key {
        case .title: stanza.title = try ValueType.title.read(text)
        case .requestors: stanza.requestors = try requestors(text, place)
        case .softwareStatement:
            let source = try ValueType.statement.read(text)
            stanza.statementSource = source
            stanza.statement = readStatement(source, place)
        case .allow: stanza.allow = try allow(text, place)
        case .may:
            let capability = ValueType.choice([
                "entitlement": Capability.entitlement, "observe": .observe, "household": .household,
            ])
            stanza.may = []
            for word in text.words { stanza.may.insert(try capability.read(word)) }
        case .activationURL: stanza.site.activationURL = try ValueType.webPage.orNone().read(text)
        case .domainName: stanza.site.domainName = try ValueType.domainName.orNone().read(text)
        case .redirectURL: stanza.site.redirectURL = try ValueType.address.orNone().read(text)
        case .finishURL: stanza.site.finishURL = try ValueType.webPage.orNone().read(text)
        }
    }

    private mutating func requestors(_ text: String, _ place: FilePosition) throws(ValueFault) -> [String] {
        var names: [String] = []
        for name in text.words {
            guard name.utf8.count <= 128, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x2C }) else {
                throw ValueFault("\(name.prefix(64)) is not a requestor ID; separate the items of a list by spaces")
            }
            if names.contains(name) {
                warn(place, "requestor \(name) is listed twice")
            } else {
                names.append(name)
            }
        }
        guard names.count <= Self.maxItems else { throw ValueFault("more than \(Self.maxItems) requestors") }
        return names
    }

    private mutating func allow(_ text: String, _ place: FilePosition) throws(ValueFault) -> [AllowRule] {
        let words = text.words
        guard words.count <= Self.maxItems else { throw ValueFault("more than \(Self.maxItems) alternatives") }
        var rules: [AllowRule] = []
        for word in words {
            let rule = try AllowRule.read(word, resources)
            for account in rule.missing { warn(place, "there is no \(account), so \(word) never matches") }
            rules.append(rule)
        }
        return rules
    }

    private mutating func readStatement(
        _ source: SoftwareStatement.Source, _ place: FilePosition
    ) -> AppStanza.Statement {
        if case .file(let path) = source { resources.willAsk(path) }
        do throws(SoftwareStatement.Fault) {
            return .present(try SoftwareStatement(try resources.readStatement(source).get()))
        } catch {
            let reason = stanza.statementTopic + "\(source), \(error)"
            problems.append(Problem(error.isCertain ? .useless : .warning, place: place, message: reason))
            return .unusable(reason: reason)
        }
    }

    private mutating func warn(_ place: FilePosition, _ message: String) {
        problems.append(Problem(.warning, place: place, message: message))
    }

    private mutating func refuse(_ place: FilePosition, _ message: String) {
        problems.append(Problem(.ignored, place: place, message: message))
        isBroken = true
    }
}
