// A box from its first evening on: what its viewers do, how long they wait, and what they read. Chapters run in order.
// Each one states the waits and the sentences that its viewers notice.

import PassJSON
import PassProtocol
import PassTestTools
import Testing

@testable import PassSandbox

@Suite("rulings 32, 34, 36, 44, 45, 47 to 52, 54: a story") struct StoryTests {
    @Test(arguments: Interface.allCases) func `no viewer is locked out, kept waiting or misled`(
        _ interface: Interface
    ) throws {
        let story = try Story(interface)
        defer { print(story.table) }
        story.newBox()
        story.code()
        story.powerCut()
        story.outages()
        story.notInThePackage()
        story.revoked()
        story.refusedLogout()
        story.nextViewer()
        story.newNetwork()
        story.wrongClock()
        story.updateDuringACode()
    }
}

/// The box's sentences, with their codes.
enum Say {
    static let tryLater = "This cannot be checked at the moment. Try again later. (tryLater)"
    static let signIn = "Sign in with your TV provider to watch this. (signIn)"
    static let signInAgain = "Sign in with your TV provider again to watch this. (signInAgain)"
    static let signedOutElsewhere =
        "You were signed out on this TV. Sign in with your TV provider again. (signedOutElsewhere)"
    static let signInLater = "Signing in does not work at the moment. Try again later. (signInLater)"
    static let noorsProvider =
        "Your package does not include this channel. Call North Cable on 555-0100 to add it. (provider)"
}

struct StoryViewer {
    let user: String
    let password: String

    static let ada = StoryViewer(user: "ada", password: "lovelace")
    static let kim = StoryViewer(user: "kim", password: "pingpong")
    /// Her package includes no channel.
    static let noor = StoryViewer(user: "noor", password: "nothing")
}

extension Story {
    var lumen: StoryApp { apps[0] }
    var news: StoryApp { apps[1] }
    var summit: StoryApp { apps[2] }
    var harbour: StoryApp { apps[3] }
    var orchard: StoryApp { apps[4] }

    /// A viewer signs in on a phone, with the code that the app shows. Typing it takes a while.
    func logIn(_ app: StoryApp, _ viewer: StoryViewer) throws {
        guard let code = try app.get("getAuthentication", as: "code")["code"]?.string else {
            throw TestFailure("\(app.name) shows no code")
        }
        try pass(.seconds(5))
        try phone(code, viewer.user, viewer.password)
        try app.hear("setAuthenticationStatus", as: "signed in") { $0["status"] == 1 }
    }
}

extension StoryApp {
    /// Starts and connects the app.
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

    func isSignedIn() throws -> Bool {
        try get("checkAuthentication", as: "check")["authenticated"] == true
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
