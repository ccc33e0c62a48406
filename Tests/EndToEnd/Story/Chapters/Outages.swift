// The service fails in prime time. No viewer is signed out, no call takes longer than fifteen seconds, and everything
// works again as soon as the service does. Rulings 34, 45, 47.

import PassJSON
import Testing

@testable import PassSandbox

extension Story {
    func outages() {
        outage("errors", ["status": 503])
        outage("too many requests", ["status": 429])
        outage("no connection", ["drop": true])
        outage("silence", ["delay": "10m"])
    }

    private func outage(_ name: String, _ effect: JSONValue) {
        begin(signedIn: .ada)
        tell(
            "outage in prime time: \(name)",
            waits: [
                "Lumen TV · play": 0...15.1, "News 24 · menu": 0...15.1, "Harbour · play": 0...15.1,
                "Orchard · picker": 0...15.1, "Orchard · code": 0...15.1, "Lumen TV · play afterwards": 0...5,
            ],
            reads: [
                "Lumen TV: \(Say.tryLater)", "News 24: \(Say.tryLater)", "Harbour: \(Say.tryLater)",
                "Orchard: \(Say.signInLater)",
            ]
        ) {
            try pass(.seconds(900))
            try fail(with: effect)
            #expect(try lumen.isRefused())
            let menu = try news.call("preauthorize", ["resources": [.string(news.resource)]], as: "menu")
            #expect(menu.error != nil, "\(menu)")
            // Started in the outage: the viewer is still signed in.
            #expect(try summit.start()["authenticated"] == true)
            #expect(try lumen.isSignedIn())
            #expect(try harbour.isRefused())
            let picker = try orchard.call("getAuthentication", ["forceAuthentication": true], as: "picker")
            #expect(picker.error != nil || picker["state"] == "selectProvider", "\(picker)")
            let code = try orchard.call("setSelectedProvider", ["providerID": "AlpenTel"], as: "code")
            #expect(code.error != nil, "\(code)")
            try endFaults()
            try pass(.seconds(10))
            for app in [lumen, news, summit, harbour] { #expect(try app.isSignedIn(), "\(app.name)") }
            try lumen.plays(as: "play afterwards")
        }
    }
}
