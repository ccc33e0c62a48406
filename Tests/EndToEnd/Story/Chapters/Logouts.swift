// A viewer signs out, but the service refuses it. The next viewer can still sign in, with a login of their own.
// Ruling 44.

import PassJSON
import Testing

@testable import PassSandbox

extension Story {
    func refusedLogout() {
        begin(signedIn: .ada)
        tell(
            "refused logout",
            reads: ["Lumen TV: \(Say.signIn)"] + apps.dropFirst().map { "\($0.name): \(Say.signedOutElsewhere)" }
        ) {
            try refuseLogouts()
            #expect(try lumen.get("logout", as: "logout")["status"] == 0)
            try news.hear("setAuthenticationStatus", as: "signed out") { $0["reason"] == "logout" }
            for app in apps { #expect(try !app.isSignedIn(), "\(app.name)") }
            try pass(.seconds(60))
            let warnings = try warnings()
            #expect(warnings.contains("logout-refused"), "\(warnings)")
        }
    }

    func nextViewer() {
        tell(
            "next viewer",
            waits: Dictionary(
                uniqueKeysWithValues: [("Lumen TV · code", 0...5)]
                    + [lumen, news, summit].map { ("\($0.name) · signed in", 0...13) }),
            reads: [lumen, news, summit].map { "\($0.name): \(Say.signIn)" }
        ) {
            for app in [lumen, news] { try signInNext(app) }
            try expectKim(lumen, news)
            // From now on the service accepts logouts. The former viewer's other logins end, but none of the next
            // viewer's.
            try endFaults()
            try pass(.seconds(900))
            try signInNext(summit)
            for app in [lumen, news, summit] {
                try app.start()
                try app.plays()
                try pass(.seconds(60))
            }
            try expectKim(lumen, news, summit)
        }
    }

    /// The service still has the former viewer's login for each app, so that each one needs a new login.
    private func signInNext(_ app: StoryApp) throws {
        try app.start()
        #expect(try !app.isSignedIn(), "\(app.name)")
        try app.showCode()
        try logIn(app, .kim)
        try app.plays()
        try pass(.seconds(60))
    }

    private func expectKim(_ apps: StoryApp...) throws {
        for app in apps {
            #expect(try app.isSignedIn(), "\(app.name)")
            let profiles = try app.get("listProfiles", as: "profile")["profiles"]?.array ?? []
            #expect(profiles.map { $0["attributes"]?["householdID"]?.string } == ["nc-kim"], "\(app.name): \(profiles)")
        }
    }

    private func refuseLogouts() throws {
        try faults(
            ["match": "* /api/v2/*/logout/*", "error": "invalid_header_device_info"],
            ["match": "* /api/v1/logout", "error": "invalid_header_device_info"])
    }
}
