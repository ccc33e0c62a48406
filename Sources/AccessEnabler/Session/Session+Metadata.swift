// What is known about the login, without asking anybody. Contract: access-enabler.md §15; open-questions.md OQ-22, OQ-23.

import PassJSON
import PassProtocol

extension Session {
    public func getMetadata(_ question: GetMetadata.Params) async throws(RPCError) -> GetMetadata.Result {
        guard let standing = await settled() else {
            emit(.setMetadataStatus(.init(question: question, metadata: .null)))
            throw .requestorNotSet()
        }
        let result = metadata(question, standing)
        emit(.setMetadataStatus(result))
        return result
    }

    private func metadata(_ question: GetMetadata.Params, _ standing: Standing) -> GetMetadata.Result {
        let profile = engine.login(of: standing.key)
        switch question {
        case .authentication: return .init(question: question, metadata: milliseconds(profile?.notAfter))
        case .authorization(let resource):
            let place = profile.map { standing.key.profile(at: $0.provider) }
            let end = place.flatMap { engine.recollections[$0]?.end(of: ResourceID(rawValue: resource)) }
            return .init(question: question, metadata: milliseconds(end.flatMap { engine.now < $0 ? $0 : nil }))
        case .deviceID:
            let isReadable = engine.settings.deviceIDIsReadable
            return .init(question: question, metadata: isReadable ? .string(engine.device.rawValue) : .null)
        case .userMetadata("tokenSource"):
            return .init(question: question, metadata: profile?.kind == .appleSSO ? "Apple" : .null)
        case .userMetadata(let name):
            guard let attribute = profile?.attributes[name] else { return .init(question: question, metadata: .null) }
            return .init(question: question, metadata: attribute.value.json, encrypted: attribute.isEncrypted)
        }
    }

    private func milliseconds(_ time: ServerTime?) -> JSONValue {
        time.map { .string(String($0.milliseconds)) } ?? .null
    }

    /// All good logins of the requestor. rpc.md §4.
    public func listProfiles() async throws(RPCError) -> ListProfiles.Result {
        guard let standing = await settled() else { throw .requestorNotSet() }
        return .init(profiles: engine.profiles(of: standing.key).map(\.summary))
    }

    public func listProviders(_ params: ListProviders.Params) async throws(RPCError) -> ListProviders.Result {
        guard let standing = await settled() else { throw .requestorNotSet() }
        do throws(BackendFault) {
            let providers = try await standing.backend.providers(caller(standing))
            // Another requestor's viewers choose from another list.
            if currentStanding?.key == standing.key { offered = providers }
            return .init(
                providers: providers.filter { params.includeTempPass || !$0.isTempPass }.map(\.mvpd))
        } catch {
            throw error.error(.configuration)
        }
    }
}
