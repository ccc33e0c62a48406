// A box from its first evening on: what its viewers do, what they wait for, and what they read.

import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools
import Testing

@testable import PassSandbox

private let ada = (user: "ada", password: "lovelace")

@Suite("rulings 47, 48: a story") struct StoryTests {
    @Test(arguments: Interface.allCases) func `nobody is locked out, frozen or misled`(_ interface: Interface) throws {
        let story = try Story(interface)
        defer { print(story.table) }
        let (lumen, news) = (story.apps[0], story.apps[1])

        // The service takes ten requests at once, and then one a second. Rulings 47, 48.
        var last = Duration.zero
        story.tell(
            "new box, five apps at once",
            waits: Dictionary(uniqueKeysWithValues: story.apps.map { ("\($0.name) · code", 0...20) })
        ) {
            try story.powerOn()
            for app in story.apps { try app.connect() }
            let begin = story.time.now
            let codes = try story.together(
                as: "code",
                [
                    ("setRequestor", { ["requestorID": .string($0.requestor)] }), ("getAuthentication", { _ in [:] }),
                    ("setSelectedProvider", { _ in ["providerID": "NorthCable"] }),
                ])
            last = story.time.now - begin
            for (app, reply) in codes { #expect(reply["code"]?.string != nil, "\(app.name): \(reply)") }
            // Hardly a second is lost.
            let requests = try story.requests()
            #expect(last < .seconds(requests - 10 + 2), "\(requests) requests in \(last)")
        }

        // The box asks the service every few seconds whether the viewer has signed in.
        story.tell(
            "code",
            waits: Dictionary(
                uniqueKeysWithValues: [("Lumen TV · signed in", 0...13), ("Lumen TV · play", 0...4)]
                    + story.apps.dropFirst().map { ("\($0.name) · signed in, too", 0...13) })
        ) {
            try story.pass(.seconds(40))
            try story.logIn(lumen, ada)
            try lumen.plays()
            for app in story.apps.dropFirst() {
                try app.hear("setAuthenticationStatus", as: "signed in, too") { $0["status"] == 1 }
            }
            for app in story.apps.dropFirst() {
                try story.pass(.seconds(20))
                try app.plays()
            }
        }

        story.tell("power cut") {
            try story.cutPower()
            try story.powerOn()
            for app in story.apps {
                let start = try app.start()
                #expect(start["authenticated"] == true && start["provider"] == "NorthCable", "\(app.name)")
            }
            for app in [lumen, news] { try app.plays() }
        }
    }
}

extension StoryApp {
    /// The app is started, and connects.
    @discardableResult func start() throws -> JSONValue {
        try connect()
        return try get("setRequestor", ["requestorID": .string(requestor)], as: "start")
    }

    func plays(as deed: String = "play") throws {
        let play = try get("getAuthorization", ["resource": .string(resource)], as: deed)
        #expect(play["authorized"] == true, "\(name): \(play)")
    }

    func isRefused() throws -> Bool {
        let play = try call("getAuthorization", ["resource": .string(resource)], as: "play")
        return play.error != nil || play["authorized"] == false
    }

    /// The viewer chooses North Cable, and sees a code.
    @discardableResult func showCode() throws -> JSONValue {
        var answer = try get("getAuthentication", as: "picker")
        if answer["state"] == "selectProvider" {
            answer = try get("setSelectedProvider", ["providerID": "NorthCable"], as: "code")
        }
        #expect(answer["code"]?.string != nil, "\(name): \(answer)")
        return answer
    }
}

extension Story {
    /// A viewer signs in on a phone, with the code that the app shows.
    func logIn(_ app: StoryApp, _ viewer: (user: String, password: String)) throws {
        guard let code = try app.get("getAuthentication", as: "code")["code"]?.string else {
            throw TestFailure("\(app.name) shows no code")
        }
        try phone(code, viewer.user, viewer.password)
        try app.hear("setAuthenticationStatus", as: "signed in") { $0["status"] == 1 }
    }

    /// Every call of the service, on either interface.
    func outage(_ effect: JSON) throws {
        guard case .object(let members) = effect else { return }
        try faults(.object([.init("match", "* /**")] + members))
    }

    func refuseLogouts() throws {
        try faults(
            ["match": "* /api/v2/*/logout/**", "error": "bad_request", "status": 400],
            ["match": "* /api/v1/logout", "error": "bad_request", "status": 400])
    }
}
