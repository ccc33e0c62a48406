// The provider says no: the package lacks the channel, or the login is no longer valid. Ruling 45.

import PassJSON
import PassSandbox
import Testing

extension Story {
    func notInThePackage() {
        begin(signedIn: .noor)
        tell("not in the package", reads: ["Lumen TV: \(Say.noorsProvider)", "News 24: \(Say.noorsProvider)"]) {
            let play = try lumen.get("checkAuthorization", ["resource": .string(lumen.resource)], as: "play")
            #expect(play["authorized"] == false)
            let menu = try news.get("preauthorize", ["resources": [.string(news.resource)]], as: "menu")
            #expect(menu["decisions"]?.array?.first?["authorized"] == false, "\(menu)")
        }
    }

    /// The service no longer accepts the logins. An app learns this with its next play or menu.
    func revoked() {
        begin(signedIn: .ada)
        tell(
            "revoked",
            reads: ["Lumen TV: \(Say.signInAgain)", "News 24: \(Say.signInAgain)", "Harbour: \(Say.signInAgain)"]
        ) {
            try pass(.seconds(900))
            try control("expire", ["kind": "login", "reason": "invalidated"])
            #expect(try lumen.isRefused())
            let menu = try news.call("preauthorize", ["resources": [.string(news.resource)]], as: "menu")
            #expect(menu["decisions"] == [] && menu["status"]?["action"] == "authentication", "\(menu)")
            let hints = try harbour.call(
                "checkPreauthorizedResources", ["resources": [.string(harbour.resource)]], as: "menu")
            #expect(hints["resources"] == [], "\(hints)")
            for app in [lumen, news, harbour] {
                #expect(try !app.isSignedIn(), "\(app.name)")
                // The viewer looks at one app after the other.
                try pass(.seconds(10))
                let next = try app.call("getAuthentication", as: "picker")
                #expect(next["state"] == "selectProvider" || next["code"] != nil, "\(app.name): \(next)")
            }
        }
    }
}
