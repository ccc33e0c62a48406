// `AP-Partner-Framework-Status`: the status of the platform's own TV account. Contract: rest-v2.md §3.8, §12.3.

import PassJSON

struct PartnerStatus: Sendable {
    enum Access: String, Sendable { case granted, denied, restricted, notDetermined }

    let access: Access
    let providerID: String
    let expires: Instant

    /// Reads the header. The faults are checked in the order of the contract's table.
    static func read(_ header: String?, at now: Instant) -> Result<PartnerStatus, PartnerStatusFault> {
        guard let value = header.flatMap(decodeBase64).flatMap({ try? JSONReader.read($0) }),
            let permission = value["frameworkPermissionInfo"], let provider = value["frameworkProviderInfo"],
            let access = permission["accessStatus"]?.string.flatMap(Access.init)
        else { return .failure(.init(code: .partnerAccessNotPresent)) }
        switch access {
        case .granted: break
        case .notDetermined: return .failure(.init(code: .partnerAccessNotDetermined))
        case .denied, .restricted: return .failure(.init(code: .partnerAccessNotGranted))
        }
        guard let id = provider["id"]?.string, !id.isEmpty else {
            return .failure(.init(code: .partnerProviderNotDetermined))
        }
        guard let expires = provider["expirationDate"]?.string.flatMap({ Instant($0) }), now < expires else {
            return .failure(.init(code: .partnerProviderExpired))
        }
        return .success(PartnerStatus(access: access, providerID: id, expires: expires))
    }
}

struct PartnerStatusFault: Error { let code: ErrorCode }

extension World {
    /// The reason why a partner's profile may not be used with the status of the call; nil if it may. Other profiles
    /// need no status. Contract: rest-v2.md §3.1 note 2.
    func partnerStatusAllows(_ login: Login, _ call: Call) -> ErrorCode? {
        guard case .partner = login.kind else { return nil }
        switch PartnerStatus.read(call.request.header("AP-Partner-Framework-Status"), at: call.now) {
        case .failure(let fault): return fault.code
        case .success(let status):
            guard let provider = catalogue.providers.first(where: { $0.platformMappingID == status.providerID }) else {
                return .partnerProviderNotDetermined
            }
            return provider.id == login.mvpd ? nil : .partnerProviderMismatch
        }
    }
}
