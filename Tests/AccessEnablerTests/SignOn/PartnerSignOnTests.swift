// Tests the eleven steps of partner sign-on with the tables of the contract.

import Testing

@testable import AccessEnabler

@Suite("access-enabler.md §17") struct PartnerSignOnTests {
    static let now = ServerTime(milliseconds: 1_800_000_000_000)
    static let later = now.advanced(by: .seconds(3600))
    static let beacon = provider("Beacon", mapping: "beacon-11", .supported)
    static let harbour = provider("Harbour", mapping: "harbour-2", .picker)
    /// A provider of the platform for which this requestor has switched sign-on off.
    static let off = provider("Off", mapping: "off-3", .supported, isOn: false)
    static let plain = Provider(id: ProviderID(rawValue: "Plain"), displayName: "Plain", logoURL: "")
    static let signedIn = PlatformAccount(providerID: "beacon-11", expires: later)
    static let request = PartnerRequest(verificationToken: [1, 2], attributes: [])

    static func provider(
        _ id: String, mapping: String, _ status: Provider.BoardingStatus, isOn: Bool = true
    ) -> Provider {
        var provider = Provider(id: ProviderID(rawValue: id), displayName: id, logoURL: "")
        provider.enablePlatformServices = isOn
        provider.displayInPlatformPicker = status == .supported
        provider.boardingStatus = status
        provider.platformMappingID = mapping
        provider.requiredMetadataFields = ["uid"]
        return provider
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let manner: PartnerSignOn.Manner
        let events: [PartnerSignOn.Event]
        /// The moves as text, including the last one.
        let moves: String

        init(_ text: String, _ manner: PartnerSignOn.Manner, _ events: [PartnerSignOn.Event], _ moves: String) {
            testDescription = text
            self.manner = manner
            self.events = events
            self.moves = moves
        }
    }

    static let whole: [PartnerSignOn.Event] = [
        .permission(.success(.granted)), .account(.success(signedIn)), .providers([plain, beacon, harbour, off]),
    ]
    static let toPicker: [PartnerSignOn.Event] = [
        .permission(.success(.granted)), .account(.success(PlatformAccount())),
    ]

    @Test(arguments: [
        // §17.3: during setRequestor.
        Row("denied", .silent, [.permission(.success(.denied))], "ask; regular denied"),
        Row("not decided", .silent, [.permission(.success(.notDetermined))], "ask; regular undetermined"),
        Row("no TV account on this box", .silent, [.permission(.success(.restricted))], "ask; regular"),
        Row(
            "the framework fails", .silent, [.permission(.failure(.failed(code: "7", message: "out of order")))],
            "ask; regular failed(\"out of order\")"),
        Row(
            "nobody is signed in", .silent, [.permission(.success(.granted)), .account(.success(PlatformAccount()))],
            "ask; account; regular"),
        Row(
            "the platform's account has expired", .silent,
            [
                .permission(.success(.granted)),
                .account(.success(PlatformAccount(providerID: "beacon-11", expires: now))),
            ], "ask; account; regular"),
        Row(
            "the expiry of the account is unknown", .silent,
            [.permission(.success(.granted)), .account(.success(PlatformAccount(providerID: "beacon-11")))],
            "ask; account; regular"),
        Row(
            "the list is unavailable", .silent, Array(whole.prefix(2)) + [.providers(nil)],
            "ask; account; providers; regular failed(\"The service's list of providers could not be read.\")"),
        Row(
            "a provider that the requestor does not have", .silent, Array(whole.prefix(2)) + [.providers([plain])],
            "ask; account; providers; regular"),
        Row(
            "sign-on is off for the provider", .silent,
            [
                .permission(.success(.granted)),
                .account(.success(PlatformAccount(providerID: "off-3", expires: later))), .providers([off]),
            ], "ask; account; providers; regular"),
        Row(
            "all conditions are met", .silent,
            whole + [
                .request(.forward(request)), .account(.success(PlatformAccount(samlResponse: Secret("<r/>")))),
                .exchanged(Sample.profile()),
            ], "ask; account; providers; request Beacon; forward uid; exchange Beacon; signed in M1"),
        Row(
            "the service asks for more than the configuration has", .silent,
            whole + [.request(.forward(PartnerRequest(verificationToken: [1], attributes: ["zip", "uid"])))],
            "ask; account; providers; request Beacon; forward zip,uid"),
        Row(
            "a degradation rule admits everyone", .silent,
            whole + [.request(.alreadyIn(beacon.id, .degraded))],
            "ask; account; providers; request Beacon; already in Beacon"),
        Row(
            "the service falls back", .silent, whole + [.request(.regular("pfs_fallback"))],
            "ask; account; providers; request Beacon; regular failed(\"pfs_fallback\")"),
        Row(
            "the service gives no request", .silent, whole + [.request(nil)],
            "ask; account; providers; request Beacon; regular failed(\"The service sent no request for the platform.\")"
        ),
        Row(
            "the platform gives no proof", .silent,
            whole + [.request(.forward(request)), .account(.success(signedIn))],
            "ask; account; providers; request Beacon; forward uid; regular failed(\"The platform returned no SAML response.\")"
        ),
        Row(
            "the service does not accept the proof", .silent,
            whole + [
                .request(.forward(request)), .account(.success(PlatformAccount(samlResponse: Secret("<r/>")))),
                .exchanged(nil),
            ],
            "ask; account; providers; request Beacon; forward uid; exchange Beacon; "
                + "regular failed(\"The service did not accept the platform's SAML response.\")"),
        // §17.5: during getAuthentication.
        Row("denied", .interactive, [.permission(.success(.denied))], "ask prompting; regular denied"),
        Row(
            "not decided", .interactive, [.permission(.success(.notDetermined))], "ask prompting; regular undetermined"),
        Row(
            "signed in already: no picker", .interactive, Array(whole.prefix(2)),
            "ask prompting; account; request Beacon"),
        Row(
            "the viewer signs in now", .interactive, toPicker + [.account(.success(signedIn))],
            "ask prompting; account; picker beacon-11,harbour-2 featuring beacon-11; request Beacon"),
        Row(
            "other TV provider", .interactive, toPicker + [.account(.failure(.otherProvider))],
            "ask prompting; account; picker beacon-11,harbour-2 featuring beacon-11; regular otherProvider"),
        Row(
            "the picker is closed", .interactive, toPicker + [.account(.failure(.cancelled))],
            "ask prompting; account; picker beacon-11,harbour-2 featuring beacon-11; regular cancelled"),
        Row(
            "a provider without sign-on for this requestor", .interactive,
            toPicker + [.account(.success(PlatformAccount(providerID: "off-3", expires: later)))],
            "ask prompting; account; picker beacon-11,harbour-2 featuring beacon-11; regular unsupportedProvider"),
        Row(
            "an unknown provider", .interactive, toPicker + [.account(.failure(.unsupportedProvider("x")))],
            "ask prompting; account; picker beacon-11,harbour-2 featuring beacon-11; regular unsupportedProvider"),
        Row(
            "not onboarded, named by the platform's error", .interactive,
            toPicker + [.account(.failure(.unsupportedProvider("harbour-2")))],
            "ask prompting; account; picker beacon-11,harbour-2 featuring beacon-11; selected Harbour"),
        Row(
            "not onboarded, named by the account", .interactive,
            toPicker + [.account(.success(PlatformAccount(providerID: "harbour-2", expires: later)))],
            "ask prompting; account; picker beacon-11,harbour-2 featuring beacon-11; selected Harbour"),
        Row(
            "the helper dies while the picker is open", .interactive,
            toPicker + [.account(.failure(.unavailable("it died")))],
            "ask prompting; account; picker beacon-11,harbour-2 featuring beacon-11; regular failed(\"it died\")"),
        Row(
            "the picker returns an expired account", .interactive,
            toPicker + [.account(.success(PlatformAccount(providerID: "beacon-11", expires: now)))],
            "ask prompting; account; picker beacon-11,harbour-2 featuring beacon-11; "
                + "regular failed(\"The platform's account has expired.\")"),
        // Ruling 38; §17.1 steps 5 and 7: an answer to another request signs no viewer in.
        Row(
            "the picker returns a provider that it should not have shown", .interactive,
            toPicker + [.account(.success(PlatformAccount(providerID: "plain", expires: later)))],
            "ask prompting; account; picker beacon-11,harbour-2 featuring beacon-11; regular unsupportedProvider"),
        Row(
            "the proof comes from another provider", .silent,
            whole + [
                .request(.forward(request)),
                .account(.success(PlatformAccount(providerID: "harbour-2", samlResponse: Secret("<r/>")))),
            ],
            "ask; account; providers; request Beacon; forward uid; "
                + "regular failed(\"The platform answered for a provider other than the one that was asked for.\")"),
        Row(
            "the proof has already expired", .silent,
            whole + [
                .request(.forward(request)),
                .account(
                    .success(PlatformAccount(providerID: "beacon-11", expires: now, samlResponse: Secret("<r/>")))),
            ],
            "ask; account; providers; request Beacon; forward uid; "
                + "regular failed(\"The platform's account has expired.\")"),
        Row(
            "the service signs in with another provider", .silent, whole + [.request(.alreadyIn(harbour.id, .regular))],
            "ask; account; providers; request Beacon; "
                + "regular failed(\"The service named a provider other than the one that was asked for.\")"),
        Row(
            "the service's login has already expired", .silent,
            whole + [
                .request(.forward(request)), .account(.success(PlatformAccount(samlResponse: Secret("<r/>")))),
                .exchanged(Sample.profile(ends: now.milliseconds)),
            ],
            "ask; account; providers; request Beacon; forward uid; exchange Beacon; "
                + "regular failed(\"The service's login has expired already.\")"),
        Row("an answer to another request", .interactive, [.exchanged(Sample.profile())], "ask prompting; regular"),
    ]) func `each answer leads to the next step, and every failure to the regular login`(_ row: Row) {
        let providers = row.manner == .interactive ? [Self.plain, Self.beacon, Self.harbour, Self.off] : nil
        var signOn = PartnerSignOn(
            row.manner, app: AppID(rawValue: "A"), requestor: RequestorID(rawValue: "NEWS24"), providers: providers)
        var moves = [Self.words(signOn.firstMove)]
        for event in row.events { moves.append(Self.words(signOn.handle(event, at: Self.now))) }
        #expect(moves.joined(separator: "; ") == row.moves)
    }

    @Test func `the platform's picker is not opened if the platform has none of the requestor's providers`() {
        var signOn = PartnerSignOn(
            .interactive, app: AppID(rawValue: "A"), requestor: RequestorID(rawValue: "NEWS24"),
            providers: [Self.plain, Self.harbour])
        _ = signOn.handle(Self.toPicker[0], at: Self.now)
        #expect(Self.words(signOn.handle(Self.toPicker[1], at: Self.now)) == "regular")
    }

    @Test func `a silent sign-on opens no dialog`() {
        for row in Self.whole.indices {
            var signOn = PartnerSignOn(.silent, app: AppID(rawValue: "A"), requestor: RequestorID(rawValue: "NEWS24"))
            for event in Self.whole[...row] {
                guard case .askAccount(let query) = signOn.handle(event, at: Self.now) else { continue }
                #expect(!query.mayInterrupt)
            }
        }
    }

    static func words(_ move: PartnerSignOn.Move) -> String {
        switch move {
        case .askPermission(let mayPrompt): mayPrompt ? "ask prompting" : "ask"
        case .fetchProviders: "providers"
        case .askAccount(let query) where query.verificationToken != nil:
            "forward \(query.attributes.joined(separator: ","))"
        case .askAccount(let query) where query.mayInterrupt:
            "picker \(query.supported.joined(separator: ",")) featuring \(query.featured.joined(separator: ","))"
        case .askAccount: "account"
        case .requestProfile(let provider): "request \(provider.id)"
        case .exchange(_, let provider): "exchange \(provider.id)"
        case .end(.signedIn(let profile)): "signed in \(profile.provider)"
        case .end(.alreadyIn(let provider, _)): "already in \(provider)"
        case .end(.selected(let provider)): "selected \(provider.id)"
        case .end(.regular(.failed(let reason))): "regular failed(\"\(reason)\")"
        case .end(.regular(let obstacle)): "regular" + (obstacle.map { " \($0)" } ?? "")
        }
    }
}
