// Reads settings file by file. The last value of a key wins, and an empty value restores the default.

import AccessEnabler
import PassBackend
import PassJSON
import PassProtocol
import PassSystem

struct SettingReader {
    private(set) var values = Dictionary(
        uniqueKeysWithValues: SettingTable.all.map {
            ($0.name, EffectiveValue(text: $0.defaultValue, origin: .builtIn))
        })
    private(set) var problems: [Problem] = []

    /// The configuration from the values read until now.
    private var configuration: Configuration { Configuration(values: values.mapValues(\.text)) }

    mutating func take(_ override: SettingOverride) {
        values[override.name] = EffectiveValue(text: override.text, origin: .flag(override.flag))
    }

    mutating func read(_ path: String) {
        let bytes: [UInt8]
        do { bytes = try TextFile.read(path) } catch {
            problems.append(Problem(.fatal, place: FilePosition(path), message: error.description))
            return
        }
        let text = INIText(bytes)
        var found = text.faults.map { Problem(.fatal, place: FilePosition(path, $0.line), message: $0.message) }
        var seen: Set<Setting.Name> = []
        for section in text.sections {
            guard let name = section.name else { continue }
            let place = FilePosition(path, section.line)
            guard SettingTable.sections.contains(where: { $0.name == name }) else {
                found.append(Self.unknown(section: name, place))
                continue
            }
            for entry in section.entries {
                let setting = Setting.Name(name, entry.key)
                let place = FilePosition(path, entry.line)
                if let problem = take(setting, text: entry.value, place: place) { found.append(problem) }
                if !seen.insert(setting).inserted {
                    found.append(
                        Problem(
                            .warning, place: place,
                            message: "\(setting) occurs twice in this file; the last one counts"))
                }
            }
        }
        problems += found.sorted { $0.place.line < $1.place.line }.bounded(path)
    }

    private mutating func take(_ name: Setting.Name, text: String, place: FilePosition) -> Problem? {
        guard let setting = SettingTable.find(name) else { return Self.unknown(name, place) }
        if text.isEmpty {
            values[name] = EffectiveValue(text: setting.defaultValue, origin: .file(place))
            return nil
        }
        if let fault = setting.fault(in: text) {
            return Problem(.fatal, place: place, message: "\(name.key) = \(Problem.shown(text)): \(fault)")
        }
        values[name] = EffectiveValue(text: text, origin: .file(place))
        return nil
    }

    /// Checks the rules that concern several values.
    mutating func checkTogether() {
        if let fault = PartnerCheck.fault(in: configuration) {
            problems.append(Problem(.fatal, place: place(fault.key), message: "\(fault.key) \(fault.message)"))
        }
        let backend = configuration.backend
        if backend.http.connectTimeout > backend.http.requestTimeout {
            warn("connect-timeout", "connect-timeout is longer than request-timeout; request-timeout takes precedence")
        }
        let burst = backend.budget.burst
        if backend.budget.viewersBurst >= burst {
            warn(
                "viewers-burst",
                "viewers-burst is not smaller than burst; it counts as \(burst - 1), because one request of the "
                    + "burst is always for other work")
        }
    }

    /// Adds a warning about a setting of [backend] if a file sets this setting.
    private mutating func warn(_ key: String, _ message: String) {
        guard case .file(let place)? = values[Setting.Name("backend", key)]?.origin else { return }
        problems.append(Problem(.warning, place: place, message: message))
    }

    /// Checks the files and programs that the settings name.
    mutating func checkFiles(_ resources: StanzaResources) {
        let configuration = configuration
        var named: [(section: String, key: String, path: String, use: FileUse)] = []
        if let path = configuration.backend.http.certificateAuthorities {
            named.append(("backend", "certificate-authorities", path, .certificates))
        }
        named.append(("storage", "directory", configuration.storage.directory, .keeping))
        switch configuration.device.identity {
        case .file(let path), .machineIDAndFile(let path): named.append(("device", "identity", path, .reading))
        case .machineID: break
        }
        let signOn = configuration.signOn
        if case .command(let path) = signOn.platformIdentity {
            named.append(("sign-on", "platform-identity", path, .running))
        }
        switch signOn.serviceToken {
        case .file(let path): named.append(("sign-on", "service-token", path, .reading))
        case .command(let path): named.append(("sign-on", "service-token", path, .running))
        case .none: break
        }
        if case .command(let path) = signOn.partner { named.append(("sign-on", "partner", path, .running)) }
        for (section, key, path, use) in named {
            resources.willAsk(path)
            guard let fault = resources.fileFault(path, use) else { continue }
            let (place, flag): (FilePosition, String) =
                switch values[Setting.Name(section, key)]?.origin {
                case .file(let place): (place, "")
                case .flag(let name): (FilePosition("passd.conf"), " (\(name))")
                case .builtIn, nil: (FilePosition("passd.conf"), "")
                }
            problems.append(
                Problem(.useless, place: place, message: "\(key)\(flag): \(path) cannot be used: \(fault)"))
        }
    }

    /// Checks the addresses for logins. Without an address for the end of a login, viewers get no link. Without an activation
    /// page, viewers have no page for typing the code. Without both, viewers of apps without a browser cannot sign in on V2.
    /// Ruling 43; contract: rest-v2.md S1.
    mutating func checkActivation(of stanzas: [AppStanza]) {
        let backend = configuration.backend
        guard backend.version == .v2, backend.origin != nil,
            stanzas.contains(where: { $0.may.contains(.entitlement) && backend.loginWay(of: $0) == .none })
        else { return }
        warn(
            "origin",
            "neither finish-url nor activation-url is set, so viewers cannot sign in: they get a code, but no link to "
                + "scan and no page to type it on"
        )
    }

    /// Warns about V1, because the end of V1 is announced. There is no warning about a service on this machine, because only
    /// developers have such a service. Contract: rest-v2.md §22.
    mutating func checkInterface() {
        let backend = configuration.backend
        guard backend.version == .v1, let origin = backend.origin, (try? Origin(origin))?.isLoopback != true else {
            return
        }
        warn(
            "protocol",
            "protocol = v1: the service announced the end of REST V1 for the end of 2026, and viewers cannot sign in or "
                + "play after that; change to v2")
    }

    /// Warns that apps with their own browser get no logout page on V1. The page's address contains the device's identifier,
    /// and apps may not see this identifier. If a return address is set, passd assumes that there are such apps. Contract:
    /// rest-v1.md §6.13.
    mutating func checkLogoutPage(of stanzas: [AppStanza]) {
        guard configuration.backend.version == .v1, !configuration.engine.deviceIDIsReadable,
            ([configuration.backend.site] + stanzas.map(\.site)).contains(where: { $0.redirectURL != nil })
        else { return }
        warn(
            "protocol",
            "expose-identity of [device] is off, so apps with their own browser get no logout page on v1, because the "
                + "address of this page contains the device's identifier")
    }

    /// The place of the key in the files. If the key is not set, the place of `partner`.
    private func place(_ key: String) -> FilePosition {
        for key in [key, "partner"] {
            if case .file(let place)? = values[Setting.Name("sign-on", key)]?.origin { return place }
        }
        return FilePosition("passd.conf")
    }

    /// Names that other programs give to the section for the log.
    private static let logNames: Set = ["logging", "logger", "journal", "journald", "syslog"]

    private static func unknown(section name: String, _ place: FilePosition) -> Problem {
        if name == "app" || name.hasPrefix("app ") {
            return Problem(.ignored, place: place, message: "[\(name)] belongs in a file in apps.d")
        }
        let nearest = Spelling.nearest(to: name, among: SettingTable.sections.map(\.name)).map { "[\($0)]" }
        // The author may mean a setting with this word at the beginning. For example, [log] may mean log-level.
        let word = logNames.contains(name.lowercased()) ? "log" : name.lowercased()
        let setting = SettingTable.all.map(\.name).first { $0.key == word || $0.key.hasPrefix(word + "-") }
        let meant = setting.map { "\($0.key) of [\($0.section)]" } ?? nearest
        return Problem(
            .ignored, place: place,
            message: "unknown section [\(name.prefix(64))]" + (meant.map { "; did you mean \($0)?" } ?? "")
        )
    }

    private static func unknown(_ name: Setting.Name, _ place: FilePosition) -> Problem {
        let what = "unknown key \"\(name.key.prefix(64))\" in [\(name.section)]"
        if let elsewhere = SettingTable.all.first(where: { $0.name.key == name.key }) {
            return Problem(
                .ignored, place: place,
                message: what + "; did you mean \(name.key) of [\(elsewhere.name.section)]?")
        }
        let nearest =
            Spelling.nearest(
                to: name.key, among: SettingTable.all.filter { $0.name.section == name.section }.map(\.name.key))
            ?? Spelling.nearest(to: name.key, among: SettingTable.all.map(\.name.key))
        return Problem(.ignored, place: place, message: what + (nearest.map { "; did you mean \($0)?" } ?? ""))
    }
}

extension [Problem] {
    /// Limits the number of problems, because every line of a file may be wrong. The worst severity of the omitted problems is
    /// kept.
    func bounded(_ path: String, limit: Int = 200) -> [Problem] {
        guard count > limit, let worst = self[limit...].map(\.severity).max() else { return self }
        return prefix(limit) + [
            Problem(worst, place: self[limit].place, message: "\(count - limit) more problems follow in this file")
        ]
    }
}
