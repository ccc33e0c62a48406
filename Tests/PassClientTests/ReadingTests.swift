// Tests the reading of results and of JSON text.

import PassClient
import PassJSON
import PassProtocol
import Testing

@Suite("rpc.md §4: reading results")
struct ReadingTests {
    static let provider = MVPD(id: "a", displayName: "A", logoURL: "l", boardingStatus: .picker, isTempPass: true)
    static let invitation = LoginInvitation(code: "K7", url: "https://a.example/?c=K7", expires: 9)

    static let steps: [(JSONValue, LoginProgress)] = [
        (GetAuthentication.Result.authenticated.json, .authenticated),
        (GetAuthentication.Result.selectProvider([provider]).json, .choose([provider])),
        (GetAuthentication.Result.secondScreen(invitation).json, .invitation(invitation)),
        (GetAuthentication.Result.browser(invitation).json, .invitation(invitation)),
        (GetAuthentication.Result.platformDialog.json, .platformDialog),
        (SetSelectedProvider.Result.selected.json, .selected),
        (SetSelectedProvider.Result.cancelled.json, .cancelled),
        (["state": "hologram"], .unknown("hologram")),
        (["state": "secondScreen"], .unknown("secondScreen")),
        ([:], .unknown("")),
    ]

    @Test(arguments: steps)
    func `each state of a login is read back, and an unknown state keeps its name`(
        _ json: JSONValue, _ step: LoginProgress
    ) {
        #expect(LoginProgress(reading: json) == step)
    }

    @Test(arguments: [(["A"], "A"), ([], nil), (["A", "B"], nil), (["*"], nil)] as [([String], String?)])
    func `a requestor can be omitted only if it is the only named one`(_ requestors: [String], _ only: String?) {
        #expect(Permission(reading: ["requestors": .strings(requestors), "rule": "r"]).onlyRequestor == only)
    }

    @Test func `JSON is read and written, on one line or for people`() {
        #expect(JSONText.read("{\"a\": [1, true]}") == ["a": [1, true]])
        #expect(JSONText.read("{") == nil)
        #expect(JSONText.read("plain") == nil)
        #expect(JSONText.line(["a": [1, true], "b": "x\n"]) == #"{"a":[1,true],"b":"x\n"}"#)
        #expect(JSONText.pretty(["a": [1, [:]], "b": []]) == "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": []\n}")
    }
}
