// User metadata: facts about the viewer that the provider allows the programmer to see. Sensitive values are encrypted for the
// programmer. Contract: rest-v2.md §9, open-questions.md OQ-21.

import PassJSON

extension World {
    func attributes(_ login: Profile, _ serviceProvider: String) -> JSONValue {
        guard let subscriber = catalogue.provider(login.mvpd)?.subscriber(login.user) else {
            return ["userID": Self.plain(.string(userID(login.mvpd, login.user)))]
        }
        let integration = catalogue.integration(serviceProvider, login.mvpd)
        var values: [JSONObject.Member] = [.init("userID", .string(userID(login.mvpd, login.user)))]
        for name in (integration?.metadata ?? []).sorted() {
            if let value = self.value(name, of: subscriber) { values.append(.init(name, value)) }
        }
        let encrypted = integration?.encryptedMetadata ?? []
        return .object(
            values.map { member in
                let attribute =
                    encrypted.contains(member.name)
                    ? sealed(member.value, for: serviceProvider) : Self.plain(member.value)
                return .init(member.name, attribute)
            })
    }

    private func value(_ name: String, of subscriber: Subscriber) -> JSONValue? {
        switch name {
        case "maxRating":
            subscriber.maxRatings.isEmpty
                ? nil
                : .object(subscriber.maxRatings.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) })
        case "channelID": .array(subscriber.channels.sorted().map(JSONValue.string))
        default: subscriber.metadata.first { $0.name == name }?.value
        }
    }

    /// The id by which apps know a subscriber. It is not the login name.
    func userID(_ mvpd: String, _ user: String) -> String { base64(sha256("\(mvpd)/\(user)".utf8).prefix(18)) }

    private static func plain(_ value: JSONValue) -> JSONValue { ["value": value, "state": "plain"] }

    /// Encrypts the JSON text of a value with RSA. If the encryption fails, only this attribute gets an error, not the whole
    /// profile.
    private func sealed(_ value: JSONValue, for serviceProvider: String) -> JSONValue {
        guard let programmer = catalogue.programmer(of: serviceProvider) else { return Self.plain(value) }
        var keys = state.keys
        let key = programmer.metadataKey ?? keys.pair(.metadata(programmer.id)).publicKey
        guard let sealed = key.encrypt(value.bytes, padding: settings.metadataPadding) else {
            let code = ErrorCode.invalidMetadataCertificate
            return [
                "value": .null, "state": "enc",
                "error": [
                    "status": .int(Int64(code.status)), "code": .string(code.rawValue), "action": .string(code.action),
                    "message": .string(code.message),
                ],
            ]
        }
        return ["value": .string(base64(sealed)), "state": "enc"]
    }
}
