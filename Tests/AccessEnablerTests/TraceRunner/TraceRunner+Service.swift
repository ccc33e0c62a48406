// Executes the lines of a trace about the service: the providers, the logins, and the answers to the next requests.

import AccessEnabler
import PassTestKit

extension TraceRunner {
    func tell(_ service: TraceService, _ words: inout TraceWords) throws {
        let now = serviceTime()
        switch try words.next() {
        case "providers":
            let providers = try words.all().map(TraceReading.provider)
            service.script { $0.providers = .success(providers) }
        case "profiles":
            // `<requestor> <profile>, …`; without a profile no viewer is logged in.
            let requestor = RequestorID(rawValue: try words.next())
            let profiles = try TraceReading.list(words.all().joined(separator: " ")).map { part in
                var part = part
                return try TraceReading.profile(&part, at: now)
            }
            service.script { $0.profiles[requestor] = .success(profiles) }
        case "login": try login(service, &words, now)
        case "polls":
            let polls = try TraceReading.list(words.all().joined(separator: " ")).map { part in
                try Self.poll(part, now)
            }
            service.script { $0.polls = polls }
        case "permits": try permit(service, &words)
        case "denies":
            let resource = ResourceID(rawValue: try words.next())
            let refusal = try TraceReading.refusal(&words)
            service.decide(.init(resource: resource, isAuthorized: false, source: .mvpd, error: refusal))
        case "logout": try logout(service, &words)
        case "fails":
            // `<call>: <fault>`
            var call: [String] = []
            repeat { call.append(try words.next()) } while call.last?.hasSuffix(":") == false
            service.fail(String(call.joined(separator: " ").dropLast()), try TraceReading.fault(&words))
        case "works": service.mend()
        case "holds": service.hold(words.all().joined(separator: " "))
        case "releases": try service.release(words.all().joined(separator: " "))
        case let word: throw TraceWordUnknown(word: word)
        }
    }

    /// `<code> [for <duration>]` or `alreadyIn <provider> <reason>`. With `at <provider>` in front, it applies to that
    /// provider only.
    private func login(_ service: TraceService, _ words: inout TraceWords, _ now: ServerTime) throws {
        let provider = words.take("at") ? ProviderID(rawValue: try words.next()) : nil
        let step: LoginStep
        if words.take("alreadyIn") {
            let reasons: [String: LoginReason] = [
                "regular": .regular, "signOn": .signOn, "temporary": .temporary, "degraded": .degraded,
            ]
            let id = ProviderID(rawValue: try words.next())
            let word = try words.next()
            guard let reason = reasons[word] else { throw TraceWordUnknown(word: word) }
            step = .alreadyIn(id, reason)
        } else {
            let code = try words.next()
            let lifetime = words.take("for") ? try TraceReading.duration(words.next()) : .seconds(1800)
            step = .showCode(
                OpenLogin(
                    code: RegistrationCode(rawValue: code), url: "https://activate/\(code)", provider: nil,
                    notBefore: now, notAfter: now.advanced(by: lifetime)))
        }
        service.script {
            if let provider { $0.beginLoginAt[provider] = .success(step) } else { $0.beginLogin = .success(step) }
        }
    }

    /// `pending`, `gone`, `fails <fault>`, or the profile of the login.
    private static func poll(_ words: TraceWords, _ now: ServerTime) throws -> Result<LoginPoll, BackendFault> {
        var words = words
        if words.take("pending") { return .success(.pending) }
        if words.take("gone") { return .success(.gone) }
        if words.take("fails") { return .failure(try TraceReading.fault(&words)) }
        return .success(.done(try TraceReading.profile(&words, at: now)))
    }

    /// `<resource> … [by <source>]`
    private func permit(_ service: TraceService, _ words: inout TraceWords) throws {
        let all = words.all()
        let resources = all.prefix { $0 != "by" }
        let sources: [String: ServiceDecision.Source] = [
            "mvpd": .mvpd, "degradation": .degradation, "temppass": .tempPass, "dummy": .dummy,
        ]
        let name = all.dropFirst(resources.count + 1).first ?? "mvpd"
        guard let source = sources[name] else { throw TraceWordUnknown(word: name) }
        for resource in resources {
            service.decide(
                .init(resource: ResourceID(rawValue: resource), isAuthorized: true, source: source))
        }
    }

    private func logout(_ service: TraceService, _ words: inout TraceWords) throws {
        let step: LogoutStep
        switch try words.next() {
        case "finished": step = .finished
        case "page": step = .openURL(try words.next())
        case "settings": step = .systemSettings
        case "nothing": step = .nothingToDo
        case let word: throw TraceWordUnknown(word: word)
        }
        service.script { $0.logout = .success(step) }
    }
}
