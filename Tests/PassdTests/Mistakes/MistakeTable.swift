// The typical mistakes of docs/troubleshooting.md, and how to make them.

import AccessEnabler
import PassJSON
import PassProtocol
import PassTestKit

@testable import PassBackend
@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer
@testable import PassSystem

enum MistakeTable {
    static let all = files + way + service + box + policy + calls

    private static let app = "[app news24]\nrequestors = NEWS24\nallow = user:kodi\n"

    static let files: [Mistake] = [
        .inFiles("A key is misspelt", settings: "[backend]\norgin = https://sp.example\n"),
        .inFiles("A value is not valid for its setting", settings: "[backend]\nburst = many\n"),
        .inFiles("The service's address has no TLS", settings: "[backend]\norigin = http://sp.example\n"),
        .inFiles("An app's stanza is among the settings", settings: app),
        .inFiles(
            "The user that `allow` names does not exist",
            apps: "[app news24]\nrequestors = NEWS24\nallow = user:koid\n"),
        .inFiles("The stanza does not say which processes are the app", apps: "[app news24]\nrequestors = NEWS24\n"),
        .inFiles(
            "The software statement is not where the stanza says", apps: app + statement
        ) { $0.readStatement = { _ in .failure(.init("cannot be read: No such file or directory")) } },
        .inFiles(
            "The file does not contain a software statement", apps: app + statement
        ) { $0.readStatement = { _ in .success(Array("<html>Log in</html>".utf8)) } },
        .inFiles("The software statement has expired", apps: app + statement) {
            // {"exp":1000}
            $0.readStatement = { _ in .success(Array("aGk.eyJleHAiOjEwMDB9.c2ln".utf8)) }
            $0.now = { ServerTime(milliseconds: 1_000_000 + 2 * 86_400_000 + 1) }
        },
        .inFiles(
            "A file or program that a setting names does not exist",
            settings: "[backend]\ncertificate-authorities = /etc/ssl/our.pem\n"),
        .inFiles(
            "Viewers can neither scan a link nor type the code",
            settings: "[backend]\norigin = https://sp.example\n", apps: app),
    ]

    private static let statement = "software-statement = file:/etc/passd/news24.jwt\n"

    static let way: [Mistake] = [
        .onTheWay("The service's name is misspelt, or name resolution does not work", HTTPFault.dns),
        .onTheWay("The port is wrong, or a firewall refuses", HTTPFault.connect),
        .onTheWay("The box has no network", HTTPFault.unreachable),
        .onTheWay(
            "The proxy does not run, or its address is wrong", HTTPFault.proxy("cache.example:3128", .noConnection)),
        .onTheWay("The proxy does not let the box through", HTTPFault.proxy("cache.example:3128", .refused(403))),
        .onTheWay("A captive portal answers", portal),
        .onTheWay(
            "The clock of the box is behind, for example after a long time without power", HTTPFault.tls(.notYetValid)),
        .onTheWay("The service's certificate has expired", HTTPFault.tls(.expired)),
        .onTheWay("The certificate is for another host than `origin`", HTTPFault.tls(.wrongHost)),
        .onTheWay("The box does not know the certificate's issuer", HTTPFault.tls(.unknownIssuer)),
    ]

    private static let portal = ServiceTrouble(
        unusable: BackendFault.foreign(
            HTTPResponse(status: 302, headers: ["Location": "http://portal.hotel.example/login"], body: []))?.reason)

    static let service: [Mistake] = [
        .atTheService(
            "The software statement was revoked", BackendFault(.registrationRefused("unapproved_software_statement"))),
        .atTheService(
            "The software statement is from another service",
            BackendFault(.registrationRefused("invalid_software_statement"))),
        .atTheService("The software statement is for another app", refusal("invalid_access_token_service_provider")),
        .atTheService("The requestor is misspelt", refusal("invalid_parameter_service_provider")),
        .atTheService("The requestor is not connected with any provider", nil),
    ]

    private static func refusal(_ code: String) -> BackendFault {
        BackendFault(.refused(ServiceError(status: 400, code: code, actionName: "none")))
    }

    /// A box whose app has requested a login. The service has refused the login, or issued a code.
    private static func asked(
        _ fault: BackendFault? = nil, _ change: (inout OpenLogin) -> Void = { _ in }
    ) async throws -> Household {
        var login = Sample.login
        change(&login)
        let household = try await Household { [login] in
            $0.offersAll()
            $0.beginLogin = fault.map(Result.failure) ?? .success(.showCode(login))
        }
        let visitor = try await household.app()
        _ = try? await visitor.call("setSelectedProvider", ["providerID": "M1"])
        _ = try? await visitor.call("getAuthentication")
        return household
    }

    static let box: [Mistake] = [
        .onTheBox("No service is chosen") { try await Household(origin: "none") },
        .onTheBox("There is no stanza for any app") { try await Household(apps: []) },
        .onTheBox("The box has no way to sign in (`sign-in`)") {
            let workspace = Workspace()
            try workspace.write("etc/passd/apps.d/news24.conf", app)
            let household = try await Household()
            await household.hasRead(try workspace.load("[backend]\norigin = https://sp.example\n"))
            return household
        },
        .onTheBox("A viewer saw a code without a link or a page (`activation-page`)") {
            try await asked { $0.url = "" }
        },
        .onTheBox("The page where viewers type the code does not exist (`login-page`)") {
            let household = try await Household()
            await household.hasDeadPage(404)
            return household
        },
        .onTheBox(
            "The address of `finish-url` is not registered (`login-link`)"
        ) { try await asked { $0.missingLink = .addressRefused } },
        .onTheBox("No domain of the requestor is known (`login-link`)") {
            try await asked { $0.missingLink = .noDomain }
        },
        .onTheBox("`domain-name` is not registered (`login`)") {
            try await asked(refusal("invalid_parameter_domain_name"))
        },
        .onTheBox("The clock of the box is wrong") {
            let household = try await Household()
            await household.engine.learn(household.clock.wall.advanced(by: .seconds(86_400)))
            return household
        },
        .onTheBox("The disk is full, or the state directory does not belong to the daemon's user") {
            let household = try await Household()
            await household.losesDisk()
            return household
        },
    ]

    static let policy: [Mistake] = [
        .inPolicy("The app runs as another user than its stanza says", allow: "user:kodi", PeerFacts(user: 33)),
        .inPolicy(
            "The app runs in another unit than its stanza says", allow: "unit:news24.service",
            PeerFacts(user: 1000, unit: "session-2.scope")),
        .inPolicy(
            "The stanza names a unit, but the daemon cannot see units", allow: "user:kodi+unit:kodi.service",
            PeerFacts(user: 1000), seeing: Confinement(network: true, units: false)),
    ]

    static let calls: [Mistake] = [
        .inACall("The app makes a call before setRequestor", "checkAuthentication"),
        .inACall("The app asks for a requestor of another app", "setRequestor", ["requestorID": "OTHER"]),
        .inACall("A method is misspelt", "checkAuthentification"),
        .inACall("A param is missing", "checkAuthorization"),
    ]
}

extension Household {
    fileprivate func hasDeadPage(_ status: Int) {
        daemon.deadPages["https://activate.example/"] = ServiceTrouble(
            page: HTTPResponse(status: status), anyAnswerCounts: false)?.about(page: "activation-url")
    }

    fileprivate func losesDisk() {
        daemon.storeHealth = { VaultHealth(isPersistent: false, warnings: []) }
    }
}
