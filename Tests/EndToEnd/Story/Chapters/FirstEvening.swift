// The first evening: five apps start on a new box, a viewer signs in, and the power fails.

import PassJSON
import Testing

extension Story {
    /// The service takes ten requests at once, and then one a second. The daemon also polls for the open codes.
    /// Rulings 47, 48.
    func newBox() {
        tell(
            "new box, five apps at once",
            waits: Dictionary(uniqueKeysWithValues: apps.map { ("\($0.name) · code", 0...22) })
        ) {
            try powerOn()
            for app in apps { try app.connect() }
            let begin = time.now
            let codes = try together(
                as: "code",
                [
                    ("setRequestor", { ["requestorID": .string($0.requestor)] }), ("getAuthentication", { _ in [:] }),
                    ("setSelectedProvider", { _ in ["providerID": "NorthCable"] }),
                ])
            let last = time.now - begin
            for (app, reply) in codes { #expect(reply["code"]?.string != nil, "\(app.name): \(reply)") }
            // Almost the whole rate of the service is used.
            let requests = try requests()
            #expect(last < .seconds(requests - 10 + 3), "\(requests) requests in \(last)")
        }
    }

    /// The box asks the service every few seconds whether the viewer has signed in.
    func code() {
        tell(
            "code",
            waits: Dictionary(
                uniqueKeysWithValues: [("Lumen TV · signed in", 0...13), ("Lumen TV · play", 0...4)]
                    + apps.dropFirst().map { ("\($0.name) · signed in, too", 0...10) })
        ) {
            try pass(.seconds(40))
            try logIn(lumen, .ada)
            try lumen.plays()
            for app in apps.dropFirst() {
                try app.hear("setAuthenticationStatus", as: "signed in, too") { $0["status"] == 1 }
            }
            for app in apps.dropFirst() {
                try pass(.seconds(20))
                try app.plays()
            }
        }
    }

    func powerCut() {
        tell("power cut") {
            try cutPower()
            try powerOn()
            for app in apps {
                let start = try app.start()
                #expect(start["authenticated"] == true && start["provider"] == "NorthCable", "\(app.name)")
            }
            for app in [lumen, news] { try app.plays() }
        }
    }
}
