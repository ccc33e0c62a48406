// Parses the calls of an app: the method, its arguments, then `name=value` for optional ones.

import AccessEnabler
import PassJSON
import PassProtocol

@EngineActor struct TraceCall {
    /// A function that makes the call, and returns the answer in its form on the socket.
    let make: @EngineActor () async throws -> JSONValue

    init(_ words: inout TraceWords, _ session: Session, _ grant: Session.AppRights) throws {
        let method = try words.next()
        let arguments = words.all()
        switch method {
        case "setRequestor":
            let params = try Self.requestor(arguments)
            make = { try await session.setRequestor(params, grant).json }
        case "setOptions":
            let params = try Self.options(arguments)
            make = { session.setOptions(params).json }
        case "checkAuthentication": make = { try await session.checkAuthentication().json }
        case "getAuthentication":
            let data = try Self.pairs(arguments.filter { $0 != "force" })
            make = {
                try await session.getAuthentication(.init(force: arguments.contains("force"), data: data)).json
            }
        case "setSelectedProvider":
            let id = try Self.one(arguments)
            make = { try await session.setSelectedProvider(.init(providerID: id == "null" ? nil : id)).json }
        case "getSelectedProvider": make = { try session.getSelectedProvider().json }
        case "handleExternalURL":
            let url = try Self.one(arguments)
            make = { try await session.handleExternalURL(.init(url: url)).json }
        case "checkAuthorization":
            let question = try Self.question(arguments)
            make = { try await session.checkAuthorization(question).json }
        case "getAuthorization":
            let question = try Self.question(arguments)
            make = { try await session.getAuthorization(question).json }
        case "checkPreauthorizedResources":
            let resources = arguments.filter { $0 != "cache=false" }
            let cache = resources.count == arguments.count
            make = { try await session.checkPreauthorizedResources(.init(resources: resources, cache: cache)).json }
        case "preauthorize":
            let resources = arguments.filter { !$0.hasPrefix("disabled=") }
            let features = arguments.filter { $0.hasPrefix("disabled=") }.compactMap { word in
                Preauthorize.Feature(rawValue: String(word.dropFirst("disabled=".count)))
            }
            make = {
                try await session.preauthorize(.init(resources: resources, disabledFeatures: Set(features))).json
            }
        case "getMetadata":
            let question = try Self.metadata(arguments)
            make = { try await session.getMetadata(question).json }
        case "listProviders":
            make = { try await session.listProviders(.init(includeTempPass: arguments == ["all"])).json }
        case "listProfiles": make = { try await session.listProfiles().json }
        case "logout": make = { try await session.logout().json }
        default: throw TraceWordUnknown(word: method)
        }
    }

    private static func one(_ words: [String]) throws -> String {
        guard words.count == 1 else { throw TraceWordUnknown(word: words.joined(separator: " ")) }
        return words[0]
    }

    private static func pairs(_ words: [String]) throws -> [String: String] {
        Dictionary(try words.map(TraceReading.pair)) { first, _ in first }
    }

    private static func question(_ words: [String]) throws -> AuthorizationQuestion {
        guard let resource = words.first else { throw TraceWordUnknown(word: "no resource") }
        return AuthorizationQuestion(resource: resource, data: try pairs(Array(words.dropFirst())))
    }

    private static func requestor(_ words: [String]) throws -> SetRequestor.Params {
        guard let id = words.first else { throw TraceWordUnknown(word: "no requestor") }
        var params = SetRequestor.Params(requestorID: id)
        for (name, value) in try pairs(Array(words.dropFirst())) {
            switch name {
            case "storageCheck": params.storageCheck = .init(rawValue: value) ?? .none
            case "services": params.serviceProviders = value.split(separator: ",").map(String.init)
            default: throw TraceWordUnknown(word: name)
            }
        }
        return params
    }

    private static func options(_ words: [String]) throws -> SetOptions.Params {
        var params = SetOptions.Params()
        for (name, value) in try pairs(words) {
            switch name {
            case "flow": params.flow = .init(rawValue: value)
            case "callbacks": params.callbacks = try TraceReading.flag(value)
            case "handleSVC": params.handleSVC = try TraceReading.flag(value)
            default:
                guard let text = SetOptions.Text(rawValue: name) else { throw TraceWordUnknown(word: name) }
                params.texts[text] = value
            }
        }
        return params
    }

    private static func metadata(_ words: [String]) throws -> GetMetadata.Params {
        switch (words.first, words.count) {
        case ("METADATA_AUTHENTICATION", 1): .authentication
        case ("METADATA_AUTHORIZATION", 2): .authorization(resource: words[1])
        case ("METADATA_DEVICE_ID", 1): .deviceID
        case ("METADATA_USER_META", 2): .userMetadata(name: words[1])
        default: throw TraceWordUnknown(word: words.joined(separator: " "))
        }
    }
}
