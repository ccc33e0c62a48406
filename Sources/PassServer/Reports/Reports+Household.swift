// Builds the result of `passd.household`, for a home screen. It must not contain requestors, user IDs, metadata, names of
// resources or codes. rpc.md §6.

import AccessEnabler
import PassJSON
import PassProtocol

extension Reports {
    var household: JSONValue {
        let logins = Dictionary(grouping: engine.currentLogins, by: \.key.provider).sorted { $0.key < $1.key }
        return [
            "signedIn": .bool(!logins.isEmpty), "logins": .array(logins.map { login($0.value) }),
            "openCodes": .array(
                engine.openCodes.map { .object(EventForm.object(named("app", $0.app) + [("expires", .int($0.end))])) }),
        ]
    }

    /// The logins with one provider, as one entry. The list must not be empty.
    private func login(_ logins: [Engine.StoredLogin]) -> JSONValue {
        let begin = logins.min { $0.value.notBefore < $1.value.notBefore }?.value
        let since = begin.flatMap { $0.notBefore.milliseconds > 0 ? $0.notBefore : nil }
        // The time is 0 if the app has not used the login.
        let uses = logins.map { ($0.key.registration.app, engine.lastUse(of: $0.key).map(milliseconds) ?? 0) }
        let apps = Dictionary(uses) { max($0, $1) }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return .members([
            "provider": logins.first.map { engine.provider(of: $0.key).json },
            "kind": begin.map { .string($0.kind.name) }, "since": since.map { .int(engine.boxDate($0)) },
            "until": logins.map(engine.end).min().map { .int(engine.boxDate($0)) },
            "apps": .array(
                apps.map { app, time in
                    .object(EventForm.object(named("name", app) + [("lastUsed", time > 0 ? .int(time) : nil)]))
                }),
        ])
    }

    private func named(_ member: String, _ app: AppID) -> [(String, JSONValue?)] {
        [(member, .string(app.rawValue)), ("title", policyInForce.policy.titles[app.rawValue].map(JSONValue.string))]
    }
}
