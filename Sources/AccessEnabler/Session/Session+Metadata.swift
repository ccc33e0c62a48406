// What an app may learn about its logins and its providers. Metadata comes from memory; only the list of providers is
// asked for at the service. Contract: access-enabler.md §15; open-questions.md OQ-22, OQ-23.

import PassJSON
public import PassProtocol

extension Session {
    public func getMetadata(_ question: GetMetadata.Params) async throws(RPCError) -> GetMetadata.Result {
        let (settled, absence) = await settledAsker()
        guard let asker = settled else {
            emit(.setMetadataStatus(.init(question: question, metadata: .null)))
            throw absence
        }
        let result = metadata(question, asker)
        emit(.setMetadataStatus(result))
        return result
    }

    private func metadata(_ question: GetMetadata.Params, _ asker: Asker) -> GetMetadata.Result {
        let profile = login(for: asker)
        switch question {
        case .authentication: return .init(question: question, metadata: milliseconds(profile?.notAfter))
        case .authorization(let resource):
            let key = profile.map { asker.key.profileKey(at: $0.provider) }
            let end = key.flatMap { engine.logins.answers(under: $0)?.end(of: ResourceID(rawValue: resource)) }
            return .init(
                question: question, metadata: milliseconds(end.flatMap { engine.context.isAhead($0) ? $0 : nil }))
        case .deviceID:
            let isReadable = engine.settings.deviceIDIsReadable
            return .init(question: question, metadata: isReadable ? .string(engine.device.rawValue) : .null)
        case .userMetadata("tokenSource"):
            let partner = profile?.kind == .appleSSO ? engine.context.ports.platform.partner?.name ?? "Apple" : nil
            return .init(question: question, metadata: partner.map { .string($0) } ?? .null)
        case .userMetadata(let name):
            guard let attribute = profile?.attributes[name] else { return .init(question: question, metadata: .null) }
            return .init(question: question, metadata: attribute.value.json, encrypted: attribute.isEncrypted)
        }
    }

    private func milliseconds(_ time: ServerTime?) -> JSONValue {
        time.map { .string(String(engine.context.boxDate($0))) } ?? .null
    }

    /// All valid logins of the requestor. rpc.md §4.
    public func listProfiles() async throws(RPCError) -> ListProfiles.Result {
        let (settled, absence) = await settledAsker()
        guard let asker = settled else { throw absence }
        return .init(profiles: engine.logins.profiles(of: asker.key).map { $0.summary(engine.context) })
    }

    public func listProviders(_ params: ListProviders.Params) async throws(RPCError) -> ListProviders.Result {
        let (settled, absence) = await settledAsker()
        guard let asker = settled else { throw absence }
        do throws(BackendFault) {
            let providers = try await fetchedProviders(for: asker)
            // The app may have set another requestor meanwhile, which has another list.
            if currentAsker?.key == asker.key { conversation.noteOffered(providers) }
            return .init(
                providers: providers.filter { params.includeTempPass || !$0.isTempPass }.map(\.mvpd))
        } catch {
            throw error.error(.configuration)
        }
    }
}
