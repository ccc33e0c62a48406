// The typical mistakes. A test makes each of them, and docs/troubleshooting.md is printed from this table.

import AccessEnabler
import PassJSON
import PassProtocol
import PassSystem
import PassTestKit

@testable import PassBackend
@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

enum MistakeTable {
    static let all = files + way + service + box + policy + calls

    private static let app = "[app news24]\nrequestors = NEWS24\nallow = user:kodi\n"

    static let files: [Mistake] = [
        .inFiles(
            "A key is misspelt", settings: "[backend]\norgin = https://sp.example\n",
            says: "/etc/passd/passd.conf:2: warning: unknown key \"orgin\" in [backend]; did you mean origin?",
            remedy: "Correct the key. Until then it has no effect."),
        .inFiles(
            "A value is not valid for its setting", settings: "[backend]\nburst = many\n",
            says: "/etc/passd/passd.conf:2: burst = many: expected a number from 1 to 1000",
            remedy: "passd.conf(5) lists the values."),
        .inFiles(
            "The service's address has no TLS", settings: "[backend]\norigin = http://sp.example\n",
            says:
                "/etc/passd/passd.conf:2: origin = http://sp.example: http:// is for this machine only (localhost, 127.0.0.0/8, [::1]); use https://",
            remedy: "Write https://, or ask the service's operator for its address with TLS."),
        .inFiles(
            "An app's stanza is among the settings", settings: app,
            says: "/etc/passd/passd.conf:1: warning: [app news24] belongs in a file in apps.d",
            remedy: "Move the stanza to /etc/passd/apps.d/news24.conf."),
        .inFiles(
            "The account in allow does not exist", apps: "[app news24]\nrequestors = NEWS24\nallow = user:koid\n",
            says: "/etc/passd/apps.d/news24.conf:3: warning: there is no user koid, so user:koid never matches",
            remedy: "Correct the name, or create the account."),
        .inFiles(
            "The stanza does not say which processes are the app", apps: "[app news24]\nrequestors = NEWS24\n",
            says:
                "/etc/passd/apps.d/news24.conf:1: warning: app news24 has no allow, so passd accepts no process as this app",
            remedy: "Say which processes are the app: allow = user:NAME, or allow = unit:NAME.service."),
        .inFiles(
            "The software statement is not where the stanza says", apps: app + statement,
            says:
                "/etc/passd/apps.d/news24.conf:4: the software statement of app news24, file:/etc/passd/news24.jwt, cannot be read: No such file or directory",
            remedy:
                "Put the statement from the service's operator into this file, readable for the daemon's user."
        ) { $0.readStatement = { _ in .failure(.init("cannot be read: No such file or directory")) } },
        .inFiles(
            "The file does not contain a software statement", apps: app + statement,
            says:
                "/etc/passd/apps.d/news24.conf:4: the software statement of app news24, file:/etc/passd/news24.jwt, is not a software statement (three parts in base64url, separated by dots)",
            remedy: "Download the statement again; a web page may have been saved in its place."
        ) { $0.readStatement = { _ in .success(Array("<html>Log in</html>".utf8)) } },
        .inFiles(
            "The software statement has expired", apps: app + statement,
            says:
                "/etc/passd/apps.d/news24.conf:4: the software statement of app news24, file:/etc/passd/news24.jwt, expired 2 days ago",
            remedy: "Get a new statement from the service's operator."
        ) {
            // {"exp":1000}
            $0.readStatement = { _ in .success(Array("aGk.eyJleHAiOjEwMDB9.c2ln".utf8)) }
            $0.now = { ServerTime(milliseconds: 1_000_000 + 2 * 86_400_000 + 1) }
        },
        .inFiles(
            "A file or program that a setting names does not exist",
            settings: "[backend]\ncertificate-authorities = /etc/ssl/our.pem\n",
            says:
                "/etc/passd/passd.conf:2: certificate-authorities: /etc/ssl/our.pem cannot be used: No such file or directory",
            remedy: "Correct the path, or install the file."),
        .inFiles(
            "Viewers can neither scan a link nor type the code",
            settings: "[backend]\norigin = https://sp.example\n", apps: app,
            says:
                "/etc/passd/passd.conf:2: warning: neither finish-url nor activation-url is set, so viewers cannot sign in: they get a code, no link and no page",
            remedy: "Set finish-url or activation-url to the page that the app's programmer names."),
    ]

    private static let statement = "software-statement = file:/etc/passd/news24.jwt\n"

    static let way: [Mistake] = [
        .onTheWay(
            "The service's name is misspelt, or name resolution does not work", HTTPFault.dns,
            says: "The name of the service cannot be resolved.",
            remedy:
                "Check the spelling of [backend] origin, and whether this box resolves other names: getent hosts debian.org"
        ),
        .onTheWay(
            "The port is wrong, or a firewall refuses", HTTPFault.connect,
            says: "The service does not accept connections.",
            remedy: "Check host and port of [backend] origin, and firewalls in between."),
        .onTheWay(
            "The box has no network", HTTPFault.unreachable, says: "The network of the service cannot be reached.",
            remedy: "Check the network of this box: cable or Wi-Fi, address and route."),
        .onTheWay(
            "The proxy does not run, or its address is wrong", HTTPFault.proxy("cache.example:3128", .noConnection),
            says: "The proxy cache.example:3128 does not accept connections.",
            remedy: "Check [backend] proxy, or remove it if this network has none."),
        .onTheWay(
            "The proxy does not let the box through", HTTPFault.proxy("cache.example:3128", .refused(403)),
            says: "The proxy cache.example:3128 refused to connect to the service (status 403).",
            remedy: "Ask the proxy's operator to let the host of [backend] origin pass."),
        .onTheWay(
            "A captive portal answers", portal,
            says:
                "The answer cannot be used: it redirects to portal.hotel.example, as a captive portal does (status 302).",
            remedy:
                "Something between box and service may have answered: sign the box on to its network if that asks for it "
                + "(guest Wi-Fi, hotel), look for a proxy, and compare [backend] origin with what the service's operator has named."
        ),
        .onTheWay(
            "The clock of the box is behind, as after a long time without power", HTTPFault.tls(.notYetValid),
            says: "The service's certificate is not valid yet.",
            remedy: "The clock of this box is probably behind: set it, or let systemd-timesyncd do so (timedatectl)."),
        .onTheWay(
            "The service's certificate has expired", HTTPFault.tls(.expired),
            says: "The service's certificate has expired.",
            remedy:
                "Compare the clock of this box with the real time. If it is right, the service's operator has to renew the certificate."
        ),
        .onTheWay(
            "The certificate is for another host than `origin`", HTTPFault.tls(.wrongHost),
            says: "The certificate is for another host.",
            remedy:
                "Compare the host of [backend] origin with what the service's operator has named. A captive portal, or a "
                + "proxy that decrypts, also has this effect."),
        .onTheWay(
            "The box does not know the certificate's issuer", HTTPFault.tls(.unknownIssuer),
            says: "This box does not trust the issuer of the certificate.",
            remedy:
                "Install the package ca-certificates, or name the issuer's certificate in [backend] certificate-authorities. "
                + "A captive portal, or a proxy that decrypts, also has this effect."),
    ]

    private static let portal = ServiceTrouble(
        unusable: BackendFault.foreign(
            HTTPResponse(status: 302, headers: ["Location": "http://portal.hotel.example/login"], body: []))?.reason)

    static let service: [Mistake] = [
        .atTheService(
            "The software statement was revoked", BackendFault(.registrationRefused("unapproved_software_statement")),
            says:
                "NEWS24: The app's software statement was revoked, or the service does not know its application (unapproved_software_statement).",
            remedy: "Get a new statement from the service's operator, put it into the app's stanza, and reload."),
        .atTheService(
            "The software statement is from another service",
            BackendFault(.registrationRefused("invalid_software_statement")),
            says:
                "NEWS24: The service does not accept the form or the signature of the app's software statement (invalid_software_statement).",
            remedy:
                "Get the statement from the operator of this service: statements of another service are not accepted here."
        ),
        .atTheService(
            "The software statement is for another app", refusal("invalid_access_token_service_provider"),
            says:
                "NEWS24: The app's software statement is not for this requestor (invalid_access_token_service_provider).",
            remedy: "Get a statement for this requestor from the service's operator."),
        .atTheService(
            "The requestor is misspelt", refusal("invalid_parameter_service_provider"),
            says: "NEWS24: The service does not know this requestor (invalid_parameter_service_provider).",
            remedy: "Compare the requestor in the app's stanza with what the service's operator has registered."),
        .atTheService(
            "The requestor is not connected with any provider", nil,
            says: "The app is registered, but NEWS24 has no providers, so viewers cannot sign in.",
            remedy: "Ask the service's operator to connect NEWS24 with providers."),
    ]

    private static func refusal(_ code: String) -> BackendFault {
        BackendFault(.refused(ServiceError(status: 400, code: code, actionName: "none")))
    }

    private static let setAddress =
        "Set finish-url in [backend] or in the app's stanza to the last page of a login on a phone, or activation-url to the page "
        + "where viewers type the code, and reload."

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
        .onTheBox(
            "No service is chosen", says: "No service is configured.",
            remedy:
                "Run \"passd-setup service https://…\" for a real service, or \"passd-setup sandbox\" for the sandbox on this machine."
        ) { try await Household(origin: "none") },
        .onTheBox(
            "There is no stanza for any app", says: "There is no app stanza, so no app may do anything.",
            remedy: "Add one to apps.d."
        ) { try await Household(apps: []) },
        .onTheBox(
            "The box has no way to sign in (`sign-in`)", says: "news24: viewers cannot sign in.", remedy: setAddress
        ) {
            let workspace = Workspace()
            try workspace.write("etc/passd/apps.d/news24.conf", app)
            let household = try await Household()
            await household.hasRead(try workspace.load("[backend]\norigin = https://sp.example\n"))
            return household
        },
        .onTheBox(
            "A viewer saw a code without a link or a page (`activation-page`)",
            says: "Viewers cannot log in: logins of NEWS24 have no link and no page.", remedy: setAddress
        ) { try await asked { $0.url = "" } },
        .onTheBox(
            "The address of `finish-url` is not registered (`login-link`)",
            says:
                "Codes of NEWS24 came without a link to the provider: the service does not accept the address where the login ends, or the domain.",
            remedy:
                "Have the programmer register the address of finish-url (or redirect-url) for the app, or change it, and reload."
        ) { try await asked { $0.missingLink = .addressRefused } },
        .onTheBox(
            "No domain of the requestor is known (`login-link`)",
            says:
                "Codes of NEWS24 came without a link to the provider: no domain is known that the service has registered.",
            remedy:
                "Set domain-name in [backend] or in the app's stanza to a domain that the programmer has registered, and reload."
        ) { try await asked { $0.missingLink = .noDomain } },
        .onTheBox(
            "`domain-name` is not registered (`login`)",
            says:
                "The service refuses a login of NEWS24 at M1: The domain of the login is not registered with the service (invalid_parameter_domain_name).",
            remedy: "Set domain-name in [backend] or in the app's stanza to a domain that the operator has registered."
        ) { try await asked(refusal("invalid_parameter_domain_name")) },
        .onTheBox(
            "The clock of the box is wrong", says: "The clock of this box is 86400 s behind the service's.",
            remedy: "Set date and time zone (timedatectl). Until then the daemon uses the service's clock."
        ) {
            let household = try await Household()
            await household.engine.learn(household.clock.wall.advanced(by: .seconds(86_400)))
            return household
        },
        .onTheBox(
            "The disk is full, or the state directory is not the daemon's",
            says: "Changes cannot be written to the disk.",
            remedy: "Check the state directory: free space, mode, owner."
        ) {
            let household = try await Household()
            await household.losesDisk()
            return household
        },
    ]

    static let policy: [Mistake] = [
        .inPolicy(
            "The app runs as another user than its stanza says", allow: "user:kodi", PeerFacts(user: 33),
            says:
                "app news24 lists requestor NEWS24, but does not match this peer (user:kodi: the peer is user 33, not 1000)",
            remedy: "Run the app as that user, or name its user in allow."),
        .inPolicy(
            "The app runs in another unit than its stanza says", allow: "unit:news24.service",
            PeerFacts(user: 1000, unit: "session-2.scope"),
            says:
                "app news24 lists requestor NEWS24, but does not match this peer (unit:news24.service: the unit of the peer is session-2.scope)",
            remedy: "Start the app by its unit, or name the unit in allow."),
        .inPolicy(
            "The stanza names a program, but the daemon cannot see programs",
            allow: "user:kodi+executable:/usr/bin/tv",
            PeerFacts(user: 1000), seeing: Confinement(network: true, units: true, executables: false),
            says:
                "The daemon cannot see which programs other users' processes run, so executable: rules do not hold for them.",
            remedy: "Install attestation.conf, see CONFINEMENT in passd(8)."),
    ]

    static let calls: [Mistake] = [
        .inACall(
            "The app makes a call before setRequestor", "checkAuthentication",
            says: "This session has no requestor.", remedy: "Call setRequestor first; it must succeed."),
        .inACall(
            "The app asks for a requestor of another app", "setRequestor", ["requestorID": "OTHER"],
            says:
                "requestor OTHER is not a requestor of this peer (app news24 lists NEWS24).",
            remedy:
                "Ask the operator to allow it in an [app] stanza; the journal and `passd-cli policy explain` name the rule."
        ),
        .inACall(
            "A method is misspelt", "checkAuthentification", says: "There is no method \"checkAuthentification\".",
            remedy: "Did you mean \"checkAuthentication\"? rpc.discover lists the methods."),
        .inACall(
            "A param is missing", "checkAuthorization", says: "resource should be a string, not absent.",
            remedy: "Correct this member; rpc.discover has the schema."),
    ]
}

extension Household {
    fileprivate func losesDisk() {
        daemon.storeHealth = { VaultHealth(isPersistent: false, warnings: []) }
    }
}
