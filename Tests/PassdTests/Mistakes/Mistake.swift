// A typical mistake of a developer of a box or an app: which program reports it, and how to make it. Its message and its
// remedy are in docs/troubleshooting.md.

import AccessEnabler
import Glibc
import PassJSON
import PassProtocol
import PassTestKit
import Testing

@testable import PassBackend
@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer
@testable import PassSystem

struct Mistake: Sendable, CustomTestStringConvertible {
    /// The command that reports the mistake.
    enum Teller: String, Sendable, CaseIterable {
        case check = "passd --check-config"
        case doctor = "passd-cli doctor"
        case explain = "passd-cli policy explain"
        case call = "an app"

        /// The heading above the mistakes on the page.
        var heading: String { self == .call ? "What passd answers to an app" : "What `\(rawValue)` says" }
    }

    /// What is wrong, as on the page.
    let what: String
    let teller: Teller
    /// Makes the mistake, and returns the report for a person.
    let make: @Sendable () async throws -> String

    var testDescription: String { what }

    /// Whether the report contains the remedy. The messages of the configuration check say only what is wrong and
    /// where.
    var saysRemedy: Bool { teller == .doctor || teller == .call }
}

// MARK: Ways to make a mistake

extension Mistake {
    /// A mistake in the files.
    static func inFiles(
        _ what: String, settings: String = "", apps: String? = nil,
        resources change: @escaping @Sendable (inout StanzaResources) -> Void = { _ in }
    ) -> Mistake {
        Mistake(what: what, teller: .check) {
            let workspace = Workspace()
            workspace.resources.fileFault = { path, use in use.fault(of: path) }
            change(&workspace.resources)
            if let apps { try workspace.write("etc/passd/apps.d/news24.conf", apps) }
            try workspace.write("etc/passd/passd.conf", settings)
            return ConfigurationCheck(workspace.load()).text.replacing(workspace.root, with: "")
        }
    }

    /// A fault between the box and the service.
    static func onTheWay(_ what: String, _ fault: HTTPFault) -> Mistake { onTheWay(what, ServiceTrouble(fault)) }

    static func onTheWay(_ what: String, _ trouble: ServiceTrouble) -> Mistake {
        Mistake(what: what, teller: .doctor) {
            let household = try await Household()
            await household.daemon.sees(.failing(trouble, since: household.clock.boot, last: household.clock.boot))
            return try await household.doctor()
        }
    }

    /// A refusal by the service that concerns an app.
    static func atTheService(_ what: String, _ fault: BackendFault?) -> Mistake {
        Mistake(what: what, teller: .doctor) {
            let household = try await Household {
                if let fault { $0.prepare = .failure(fault) }
            }
            return try await household.doctor()
        }
    }

    /// A fault of the box that the doctor sees.
    static func onTheBox(
        _ what: String, _ make: @escaping @Sendable () async throws -> Household
    ) -> Mistake {
        Mistake(what: what, teller: .doctor) { try await make().doctor() }
    }

    /// A process that the policy does not recognize as the app.
    static func inPolicy(
        _ what: String, allow: String, _ peer: PeerFacts, seeing sight: Confinement = .everything
    ) -> Mistake {
        Mistake(what: what, teller: .explain) {
            let apps = "[app news24]\nrequestors = NEWS24\nallow = \(allow)\n"
            let policy = Policy(stanzas: try Workspace().load(apps: apps).apps, ownUser: 990)
            let params = PolicyExplain.Params(method: "getAuthorization", requestorID: "NEWS24")
            let answer = policy.explain(params, about: peer, seeing: sight)
            return ([answer.rule] + answer.notes).joined(separator: "\n")
        }
    }

    /// A wrong call of an app.
    static func inACall(
        _ what: String, _ method: String, _ params: JSONValue = [:], on socket: SocketKind = .api
    ) -> Mistake {
        Mistake(what: what, teller: .call) {
            let app = try await Household().connect(socket)
            let error = try await app.exchange(method, params).answer["error"]
            return "\(error?["message"]?.string ?? "")\n\(error?["data"]?["remedy"]?.string ?? "")"
        }
    }
}

extension Confinement {
    static let everything = Confinement(network: true, units: true)
}

extension FakeDaemon {
    fileprivate func sees(_ contact: ServiceContact) { seen = contact }
}

extension Household {
    /// Prints a check as `passd-cli doctor` does.
    fileprivate func doctor() async throws -> String {
        PrintedChecks.text(of: try await connect(.admin).call("passd.doctor"))
    }
}
