// Tests the status channel. For every code of the contract's table, a test provokes the code with its level, or a list
// gives the reason why it cannot occur on a box.

import PassProtocol
import PassTestKit
import Testing

@testable import AccessEnabler

@Suite("access-enabler.md §20; rest-v2.md §18.3") @EngineActor struct StatusTableTests {
    enum Provocation: Sendable {
        case by(@EngineActor @Sendable () async throws -> Stage)
        case unreachable(String)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let code: String
        let level: SDKStatus.Level
        let provocation: Provocation

        init(_ code: String, _ level: SDKStatus.Level, _ provocation: Provocation) {
            self.code = code
            self.level = level
            self.provocation = provocation
        }

        var testDescription: String { code }
    }

    private static func setup(_ kind: BackendFault.Kind) -> Provocation {
        .by {
            let stage = try await Stage { $0.prepare = .failure(BackendFault(kind)) }
            let app = stage.connect("A")
            _ = try? await app.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("A"))
            return stage
        }
    }

    private static func denial(_ code: String, _ action: String = "none") -> Provocation {
        .by {
            let error = ServiceError(status: 403, code: code, actionName: action)
            let stage = try await Stage {
                $0.isLoggedIn("NEWS24")
                $0.authorize = { .success(.init(resource: $0, isAuthorized: false, source: .mvpd, error: error)) }
            }
            let app = try await stage.app("A", "NEWS24")
            _ = try? await app.getAuthorization(.init(resource: "film"))
            return stage
        }
    }

    private static func permit(_ source: ServiceDecision.Source) -> Provocation {
        .by {
            let stage = try await Stage {
                $0.isLoggedIn("NEWS24")
                $0.authorize = { resource in
                    var permit = Sample.permit(resource)
                    permit.source = source
                    return .success(permit)
                }
            }
            _ = try await stage.app("A", "NEWS24").getAuthorization(.init(resource: "film"))
            return stage
        }
    }

    private static func login(
        _ script: @escaping @Sendable (inout FakeBackend.Script) -> Void,
        _ then: @escaping @EngineActor @Sendable (Stage, Session) async throws -> Void = { _, _ in }
    ) -> Provocation {
        .by {
            let stage = try await Stage {
                $0.offersLogin()
                script(&$0)
            }
            let app = try await stage.app("A", "NEWS24")
            _ = try? await app.getAuthentication(.init())
            _ = try? await app.setSelectedProvider(.init(providerID: "M1"))
            try await then(stage, app)
            return stage
        }
    }

    private static func pass(_ kind: Profile.Kind) -> @Sendable (inout FakeBackend.Script) -> Void {
        { script in
            var provider = Provider(id: Sample.north, displayName: "Preview", logoURL: "")
            provider.isTempPass = true
            script.providers = .success([provider, Provider(id: .init(rawValue: "M2"), displayName: "M2", logoURL: "")])
            script.profiles[RequestorID(rawValue: "NEWS24")] = .success([
                Sample.profile(Sample.north, kind, ends: 1_795_564_860_000)
            ])
        }
    }

    private static let partner = Provocation.unreachable("partner sign-on needs a platform's account helper")

    private static let rows: [Row] = [
        Row("AAPL", .error, partner), Row("AAPL_ERROR", .error, partner), Row("VSA403", .info, partner),
        Row("VSA404", .info, partner), Row("VSA503", .info, partner), Row("N003", .info, partner),
        Row("N004", .info, partner),
        Row(
            "VSA203", .info,
            .by {
                let stage = try await Stage {
                    $0.isLoggedIn("NEWS24")
                    $0.logout = .success(.systemSettings)
                }
                _ = try await stage.app("A", "NEWS24").logout()
                return stage
            }),
        Row("500", .error, .unreachable("an internal error of the daemon is INTERNAL_ERROR of the socket")),
        Row("SEC403", .error, .unreachable("domains belong to browsers; REST V2 has no such refusal")),
        Row(
            "SEC412", .warning,
            .by {
                let stage = try await Stage { $0.isLoggedIn("NEWS24") }
                _ = try await stage.app("A", "NEWS24")
                let moved = try await Stage(vault: stage.vault, identity: FakeIdentity("other"))
                _ = try await moved.app("A", "NEWS24")
                return moved
            }),
        Row("SEC420", .error, setup(.insecure)),
        Row(
            "CFG100", .warning,
            .by {
                let stage = try await Stage()
                stage.engine.learn(ServerTime(milliseconds: 0))
                _ = try await stage.app("A", "NEWS24")
                return stage
            }),
        Row(
            "CFG400", .error,
            setup(.refused(.init(status: 400, code: "invalid_parameter_service_provider", actionName: "none")))),
        Row("CFG404", .error, setup(.unreachable)), Row("CFG429", .error, setup(.throttled)),
        Row("CFG5xx", .error, setup(.serverError(503))),
        Row("R400", .error, setup(.registrationRefused("invalid_software_statement"))),
        Row("R401", .error, setup(.tokenRefused)),
        Row(
            "N000", .info,
            .by {
                let stage = try await Stage()
                _ = try await stage.app("A", "NEWS24").checkAuthentication()
                return stage
            }),
        Row(
            "N001", .info,
            .by {
                let stage = try await Stage {
                    $0.offersLogin()
                    var own = Sample.providers[0]
                    own.loginPerRequestor = true
                    $0.providers = .success([own])
                }
                stage.engine.settings.isPassive = true
                let app = try await stage.app("B", "SUMMIT")
                _ = try await app.getAuthentication(.init())
                _ = try await app.setSelectedProvider(.init(providerID: "M1"))
                stage.backend.script { $0.polls = [.success(.done(Sample.profile()))] }
                try await stage.poll()
                try await stage.hear("B ← setAuthenticationStatus 1 ")
                _ = try await stage.app("A", "NEWS24")
                return stage
            }),
        Row("N005", .info, login({ _ in }) { _, app in _ = try await app.setSelectedProvider(.init(providerID: nil)) }),
        Row(
            "N010", .warning,
            login {
                $0.beginLogin = .success(.alreadyIn(Sample.north, .degraded))
                $0.isLoggedIn("OTHER")
                $0.profiles[RequestorID(rawValue: "NEWS24")] = .success([])
            } _: { stage, app in
                stage.backend.script { $0.isLoggedIn("NEWS24", profile: Sample.profile(Sample.north, .degraded)) }
                _ = try await app.setSelectedProvider(.init(providerID: nil))
                _ = try await app.getAuthentication(.init())
                _ = try await app.setSelectedProvider(.init(providerID: "M1"))
            }),
        Row("N011", .info, login(pass(.temporary))),
        Row(
            "N111", .warning,
            login(pass(.temporary)) { stage, app in
                stage.clock.advance(by: .seconds(61))
                _ = try await app.checkAuthentication()
            }),
        Row(
            "N130", .error,
            login({ $0.polls = [.success(.gone)] }) { stage, _ in
                try await stage.poll()
                try await stage.hear("A ~ N130")
            }),
        Row(
            "N500", .error,
            login({ $0.providers = .failure(BackendFault(.unusableAnswer)) })),
        Row("REG500", .error, login { $0.beginLogin = .failure(BackendFault(.serverError(500))) }),
        Row("REGCODE", .success, login { _ in }),
        Row("Z010", .warning, permit(.degradation)), Row("Z011", .info, permit(.tempPass)),
        Row("Z100", .error, denial("authorization_denied_by_mvpd")),
        Row("Z110", .error, denial("maximum_attempts_exceeded")),
        Row("Z120", .error, denial("network_received_error", "retry")),
        Row("Z130", .error, denial("invalid_parameter_resources")),
        Row("Z169", .error, denial("authorization_denied_by_degradation_rule")),
        Row("Z500", .error, denial("internal_server_error", "configuration")),
        Row(
            "P100", .error,
            .by {
                let stage = try await Stage {
                    $0.isLoggedIn("NEWS24")
                    $0.preauthorize = { _ in .failure(BackendFault(.throttled)) }
                }
                _ = try? await stage.app("A", "NEWS24").checkPreauthorizedResources(.init(resources: ["a"]))
                return stage
            }),
        Row("CFG410", .error, .unreachable("JavaScript and Android alone")),
        Row("IS2XX", .error, .unreachable("the individualisation server belongs to JavaScript")),
        Row("IS4XX", .error, .unreachable("the individualisation server belongs to JavaScript")),
        Row("IS5XX", .error, .unreachable("the individualisation server belongs to JavaScript")),
        Row("IS0", .error, .unreachable("the individualisation server belongs to JavaScript")),
        Row("LS011", .warning, .unreachable("volatile storage belongs to JavaScript")),
    ]

    @Test func `every code is provoked with its level, or has a reason for its absence`() async throws {
        #expect(Set(Self.rows.map(\.code)).count == Self.rows.count)
        #expect(Set(SDKStatus.known.map(\.rawValue)).isSubset(of: Set(Self.rows.map(\.code))))
        for row in Self.rows {
            switch row.provocation {
            case .unreachable(let reason): #expect(!reason.isEmpty)
            case .by(let provoke):
                let stage = try await provoke()
                let seen = row.code == "CFG5xx" ? "CFG503" : row.code
                let isHeard = stage.lines().contains { $0.hasPrefix("A ~ \(seen)") }
                #expect(isHeard, "\(row.code): \(stage.lines())")
                #expect(SDKStatus(rawValue: seen).level == row.level, "\(row.code)")
            }
        }
    }
}
