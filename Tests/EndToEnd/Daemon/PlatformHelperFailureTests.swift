// Tests helpers that hang, crash, flood or send garbage: only the sign-on fails.

import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools
import Testing

@testable import PassSandbox

@Suite("docs/platform-helper.md: a helper that fails") struct PlatformHelperFailureTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let script: String

        init(_ text: String, _ script: String) {
            testDescription = text
            self.script = "#!/bin/sh\n" + script
        }
    }

    private static let hello = #"read hello; echo '{"type":"hello","protocol":1,"name":"h","version":"1"}'; "#

    private static func answering(_ line: String) -> String { hello + "read question; echo '\(line)'; cat > /dev/null" }

    private static let rows = [
        Row("says nothing", "exec cat > /dev/null"), Row("does not read", "exec sleep 1000"),
        Row("dies", "exit 3"), Row("is killed", "kill -9 $$"), Row("dies after hello", hello + "exit 0"),
        Row("dies during a request", hello + "read question; exit 1"),
        Row("hangs after hello", hello + "exec cat > /dev/null"), Row("floods before hello", "exec yes"),
        Row("floods after hello", hello + #"exec yes '{"type":"strange"}'"#),
        Row("prints rubbish", "head -c 200000 /dev/urandom; exec cat > /dev/null"),
        Row("prints text that is not JSON", hello + "echo secret-words; exec cat > /dev/null"),
        Row("prints a line without an end", hello + "exec tr '\\0' x < /dev/zero"),
        Row("speaks another protocol", #"echo '{"type":"hello","protocol":2,"name":"h","version":"1"}'; cat"#),
        Row("answers without a request", answering(#"{"type":"result","id":99,"permission":"granted"}"#)),
        Row("answers with a wrong type", answering(#"{"type":"result","id":1,"permission":7}"#)),
        Row("answers with an unknown permission", answering(#"{"type":"result","id":1,"permission":"sure"}"#)),
        Row("closes its output", hello + "exec > /dev/null; cat"),
    ]

    @Test(arguments: rows) func `every app is still set up, and can use the ordinary login`(_ row: Row) throws {
        let tv = try PartnerBox(.v2, helper: row.script)
        let apps = [("LUMENTV", try tv.app()), ("LUMENKIDS", try tv.app()), ("LUMENTV", try tv.app())]
        let calls = try apps.map { requestor, app in
            try app.send("setRequestor", ["requestorID": .string(requestor)])
        }
        for ((_, app), call) in zip(apps, calls) {
            let setup = try app.answer(to: call, seconds: 45)
            #expect(setup["status"] == 1 && setup["authenticated"] == false)
            // The daemon answers first and reports the hanging helper later.
            #expect(app.told().filter { $0 != "AAPL" } == ["setRequestorComplete"])
        }
        for (_, app) in apps.prefix(2) {
            #expect(try app.call("getAuthentication", seconds: 45)["state"] == "selectProvider")
            #expect(app.told().filter { $0 != "AAPL" }.suffix(2) == ["VSA503", "displayProviderDialog"])
            #expect(try app.call("setSelectedProvider", ["providerID": "NorthCable"])["code"]?.string != nil)
        }
        #expect(!tv.box.daemon.hasEnded)
        #expect(!tv.box.daemon.errors.contains("secret-words"))
    }

    @Test(arguments: Interface.allCases)
    func `a helper that hangs for one app does not block another app, and the daemon ends it`(
        interface: Interface
    ) throws {
        let script = #"""
            #!/bin/sh
            read hello
            echo '{"type":"hello","protocol":1,"name":"h","version":"1"}'
            while read -r line; do
                [ -e "$(dirname "$0")/hang" ] && exec sleep 1000
                id=${line#*\"id\":}
                echo "{\"type\":\"result\",\"id\":${id%%[,\}]*},\"permission\":\"restricted\"}"
            done
            """#
        let tv = try PartnerBox(interface, helper: script)
        let app = try tv.app()
        try tv.set(app)
        #expect(app.told() == ["setRequestorComplete"], "\(tv.box.daemon.errors)")
        #expect(try app.call("getAuthentication")["state"] == "selectProvider")
        try tv.logInOrdinarily(app)
        try tv.touch("hang")
        let other = try tv.app()
        let call = try other.send("setRequestor", ["requestorID": "LUMENTV"])
        #expect(try app.call("checkAuthentication")["authenticated"] == true)
        #expect(try tv.playsFine(app))
        let setup = try other.answer(to: call, seconds: 45)
        #expect(setup["authenticated"] == true, "the ordinary login also counts for this session")
        #expect(becomesTrue { tv.box.daemon.errors.contains("it does not respond") })
    }
}
