// Events around a box: another network, a captive portal, a wrong clock, an update. Logins and codes stay.

import PassJSON
import Testing

@testable import PassSandbox

extension Story {
    /// The connections are dead and no new one is possible. Then a captive portal answers, and at last the service.
    func newNetwork() {
        begin(signedIn: .ada)
        tell(
            "new network",
            waits: ["Lumen TV · play": 0...15.1],
            reads: ["Lumen TV: \(Say.tryLater)", "News 24: \(Say.tryLater)"]
        ) {
            try pass(.seconds(900))
            cutNetwork()
            #expect(try lumen.isRefused())
            #expect(try news.start()["authenticated"] == true)
            try restartService()
            try fail(with: ["status": 200, "malformed": true, "contentType": "text/html"])
            #expect(try news.isRefused())
            #expect(try summit.start()["authenticated"] == true)
            try pass(.seconds(60))
            for app in [lumen, news, summit] { #expect(try app.isSignedIn(), "\(app.name)") }
            try endFaults()
            try pass(.seconds(5))
            for app in [lumen, news, summit] { try app.plays(as: "play in the new network") }
        }
    }

    /// At a start the box believes that it is 1970, or a year ahead. A minute later it learns the time. Dates follow
    /// the clock that the viewer sees. Ruling 52.
    func wrongClock() {
        begin(signedIn: .ada)
        wrongClock("in 1970") { _ in 30_000 }
        wrongClock("a year ahead") { $0 + 365 * 86_400_000 }
    }

    private func wrongClock(_ name: String, _ date: (Int64) -> Int64) {
        tell("wrong clock: \(name)", waits: ["Orchard · code": 0...5]) {
            try cutPower()
            time.set(.daemon, to: date(time.date(.service)))
            try powerOn()
            for place in ["with the wrong date", "with the right date"] {
                #expect(try lumen.start()["authenticated"] == true)
                try lumen.plays(as: "play \(place)")
                // The box learns the service's date from its answers.
                try pass(.seconds(10))
                let expires = try lumen.get("checkAuthentication", as: "check")["expires"]?.int64 ?? 0
                let days = (expires - time.date(.daemon)) / 86_400_000
                #expect((80...90).contains(days), "\(days) days \(place)")
                try orchard.start()
                try orchard.get("getAuthentication", ["forceAuthentication": true], as: "picker")
                let code = try orchard.get("setSelectedProvider", ["providerID": "AlpenTel"], as: "code")
                let minutes = ((code["expires"]?.int64 ?? 0) - time.date(.daemon)) / 60_000
                #expect((28...30).contains(minutes), "\(minutes) minutes \(place)")
                time.set(.daemon, to: time.date(.service))
                try pass(.seconds(60))
                #expect(try lumen.isSignedIn())
            }
        }
    }

    /// The daemon is stopped and started while a code is on a screen. Rulings 36, 54.
    func updateDuringACode() {
        begin(signedIn: nil)
        tell("update during a code", waits: ["Lumen TV · signed in": 0...13]) {
            let before = try lumen.showCode()
            try stop()
            try powerOn()
            try lumen.start()
            let after = try lumen.get("getAuthentication", as: "code")
            #expect(after["code"] == before["code"], "\(after)")
            let selected = try lumen.get("getSelectedProvider", as: "provider")
            #expect(selected["provider"]?["displayName"] == "North Cable", "\(selected)")
            #expect(selected["provider"]?["logoURL"]?.string?.isEmpty == false, "\(selected)")
            try logIn(lumen, .ada)
            try lumen.plays()
        }
    }
}
