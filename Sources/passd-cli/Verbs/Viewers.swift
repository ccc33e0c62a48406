// The verbs for viewers and apps that make one call and print its result.

import PassArguments
import PassClient
import PassJSON
import PassProtocol

extension Option {
    static let provider = Option("--provider", "ID", help: "the TV provider", known: "providers")
    static let tempPass = Option("--temp-pass", help: "also list temporary passes")
    static let resource = Option(
        "--resource", "RESOURCE", help: "the resource for the key authorization", known: "resources")
}

extension Verb {
    static let check = Verb(
        "check", "show whether the viewer is signed in",
        details: "Exits with 0 if the viewer is signed in, and with 3 if not."
    ) {
        let result = try await $0.ask(CheckAuthentication.self)
        guard result.holds("authenticated") else { return Outcome(exit: .no, data: result, text: nobody) }
        let provider = result.text("provider").map { " with \($0)" } ?? ""
        let expires = result.time("expires").map { ", until \($0)" } ?? ""
        return Outcome(data: result, text: "Signed in\(provider)\(expires).")
    }

    /// What verbs print if there is no login.
    static let nobody = "Nobody is signed in."

    static let logout = Verb(
        "logout", "sign out", options: [.all],
        details: """
            Prints what the viewer still has to do elsewhere, such as at the provider. With --all, ends the logins of \
            every requestor and provider; only operators may do this. Waits at most 15 s for the service, and prints \
            the logouts that the service has not accepted by then. passd reports these logouts again later.
            """
    ) {
        if $0.arguments.has(.all) { return try await logoutAll($0) }
        let result = try await $0.ask(Logout.self)
        let actions = result.list("actions")
        let isTold = !actions.contains { $0["told"]?.bool == false }
        let untold = isTold ? [] : ["The service has not accepted the logout yet; passd-cli doctor says why."]
        return Outcome(
            data: result, text: isTold ? "Signed out." : "Signed out of this box.",
            notes: untold + actions.compactMap(note) + undurable(result))
    }

    private static func logoutAll(_ invocation: Invocation) async throws -> Outcome {
        let result = try await invocation.ask(LogoutAll.self)
        let untold = result.list("untold").map { "\($0.word("requestorID")) at \($0.word("provider"))" }
        return Outcome(
            data: result, text: "Ended \(counted(result["forgotten"]?.int64 ?? 0, "login")).",
            notes: (untold.isEmpty
                ? [] : ["The service has not accepted the logout of \(untold.joined(separator: ", "))."])
                + undurable(result))
    }

    private static func note(_ step: JSONValue) -> String? {
        let provider = step.text("provider") ?? "the provider"
        switch step.text("action").flatMap(Logout.Action.init(rawValue:)) {
        case .browser: return "To finish signing out of \(provider), open in a browser: \(step.word("url"))"
        case .platformSettings:
            return "The device's TV account is still signed in with \(provider); sign out in the device's settings."
        case .some(.none), nil:
            return step.text("link").map { "To sign out at \(provider), too, open on the phone: \($0)" }
        }
    }

    /// A warning if the logout is not durable yet.
    static func undurable(_ result: JSONValue) -> [String] {
        result["durable"]?.bool == false
            ? ["The change is not on the disk yet; a power failure may undo it. See passd-cli doctor."] : []
    }

    static let providers = Verb(
        "providers", "list the requestor's TV providers", options: [.tempPass],
        details: "Prints the ID and the name of each provider."
    ) {
        let result = try await $0.ask(ListProviders.self, .init(includeTempPass: $0.arguments.has(.tempPass)))
        let rows = MVPD.list(reading: result).map { [$0.id.onOneLine, $0.displayName.onOneLine] }
        return Outcome(
            data: result, text: Table.columns(rows, paint: $0.paint),
            notes: rows.isEmpty ? ["This requestor has no providers."] : [])
    }

    static let profiles = Verb("profiles", "list the requestor's logins on this device") {
        let result = try await $0.ask(ListProfiles.self)
        // The many long attributes are left out. `metadata` prints one attribute, and --json prints all.
        let profiles = result.list("profiles").map { profile in
            JSONValue.object(JSONObject(profile.members.filter { $0.name != "attributes" }))
        }
        return .table(result, profiles, ifNone: nobody, $0.paint)
    }

    static let authorize = Verb(
        "authorize", "get a media token for a resource", operands: [Operand("RESOURCE", known: "resources")],
        options: [.login, .provider],
        details: """
            A media token is a permission to play once. Exits with 3 if the provider refuses or nobody is signed in. \
            If nobody is signed in, --login starts a login first. The exit code is 3 if the viewer does not sign in before \
            the code expires. Code and link go to standard error. Without a terminal, name the provider with --provider. SIGINT \
            and SIGTERM cancel the login.
            """
    ) {
        let params = CheckAuthorization.Params(resource: $0.arguments.operands[0])
        var result = try await $0.ask(CheckAuthorization.self, params)
        if needsLogin(result), $0.arguments.has(.login) {
            let login = try await logIn($0)
            guard login.exit == .done else { return Outcome(exit: login.exit, data: result, notes: login.notes) }
            result = try await $0.ask(CheckAuthorization.self, params)
        }
        guard result.holds("authorized"), let token = result["token"]?.string else {
            let note = needsLogin(result) ? "\(nobody) Sign in with passd-cli login." : refusal(result)
            return Outcome(exit: .no, data: result, notes: [note])
        }
        let details = [
            result.time("expires").map { "Valid until \($0)" }, result.text("source").map { "decided by \($0)" },
        ].compactMap(\.self)
        return Outcome(
            data: result, text: $0.console.output.isTerminal ? token.onOneLine : token,
            notes: details.isEmpty ? [] : [details.joined(separator: ", ") + "."])
    }

    static let preauthorize = Verb(
        "preauthorize", "show which resources would be permitted",
        operands: [Operand("RESOURCE", .some, known: "resources")],
        details: """
            Exits with 3 if no resource would be permitted. Use the answer only for menus. Run authorize before each play.
            """
    ) { invocation in
        let result = try await invocation.ask(Preauthorize.self, .init(resources: invocation.arguments.operands))
        let paint = invocation.paint
        if let status = result["status"] {
            let whole: JSONValue = ["error": status]
            return Outcome(exit: .no, data: result, text: needsLogin(whole) ? nobody : refusal(whole))
        }
        let decisions = result.list("decisions")
        let width = decisions.contains(where: isUndecided) ? undecided.count : 3
        let rows = decisions.map { decision in
            let isYes = decision.holds("authorized")
            let word = (isYes ? "yes" : isUndecided(decision) ? undecided : "no").padded(to: width)
            return [
                isYes ? paint.good(word) : isUndecided(decision) ? paint.doubtful(word) : paint.bad(word),
                decision.word("id"), decision["error"] == nil ? "" : refusal(decision),
            ]
        }
        let isSome = decisions.contains { $0.holds("authorized") }
        return Outcome(exit: isSome ? .done : .no, data: result, text: Table.columns(rows, paint: paint))
    }

    /// The word for a resource without an answer of the service. The verb `why` uses the same word.
    private static let undecided = "undecided"

    private static func isUndecided(_ decision: JSONValue) -> Bool {
        let sentences: [BoxSentence] = [.tryLater, .notAvailable]
        if sentences.map(\.rawValue).contains(decision["displayCode"]?.string) { return true }
        // `displayCode` is missing if the provider's words replace the sentence of passd.
        let error = decision["error"] ?? [:]
        return RefusalWords.isUndecided(error["code"]?.string, error["action"]?.string.map(ErrorAction.init(rawValue:)))
    }

    /// Whether the answer is "no" because nobody is signed in.
    private static func needsLogin(_ result: JSONValue) -> Bool {
        result.holds("pending") || result["errorCode"]?.string == FlowErrorCode.userNotAuthenticated.rawValue
            || result["error"]?["action"]?.string == ErrorAction.authentication.rawValue
    }

    /// The reason of a refusal. These are the words for viewers, or else the service's words, or else the bare code.
    private static func refusal(_ result: JSONValue) -> String {
        let error = result["error"] ?? [:]
        for words in [result.text("display"), error.text("details"), error.text("message")] {
            if let words, !words.isEmpty { return words }
        }
        let code = error.text("code") ?? result.text("errorCode")
        return code.map { "Not authorized: \($0)." } ?? "Not authorized."
    }

    /// The verb that prints a value without quotes or name.
    static let metadata = Verb(
        "metadata", "print one value about the viewer, the login or the device",
        operands: [Operand("KEY", words: ["authentication", "authorization", "device-id"])], options: [.resource],
        details: """
            If KEY is authentication, prints when the login ends. If KEY is authorization, prints when the \
            authorization of --resource ends. KEY may also be the name of a value about the viewer, such as zip. If the \
            setting expose-identity is on, KEY may also be device-id. Exits with 3 if the value does not exist.
            """
    ) {
        let result = try await $0.ask(GetMetadata.self, question($0.arguments))
        let value = result["metadata"] ?? .null
        let text = value.isNull ? "" : value.string ?? JSONText.line(value)
        return Outcome(
            exit: value.isNull ? .no : .done, data: result, text: $0.console.output.isTerminal ? text.onOneLine : text,
            notes: (value.isNull ? ["There is no such value."] : [])
                + (result.holds("encrypted")
                    ? ["The value is encrypted; only the programmer's private key decrypts it."] : []))
    }

    private static func question(_ arguments: Arguments) throws(Mistake) -> GetMetadata.Params {
        let word = arguments.operands[0]
        let isAuthorization = ["authorization", GetMetadata.Key.authorization.rawValue].contains(word)
        if let resource = arguments[.resource] {
            guard isAuthorization else { throw arguments.mistake("--resource is only for the key authorization.") }
            return .authorization(resource: resource)
        }
        switch word {
        case "authentication", GetMetadata.Key.authentication.rawValue: return .authentication
        case "device-id", GetMetadata.Key.deviceID.rawValue: return .deviceID
        case _ where isAuthorization:
            throw Mistake("authorization needs a resource.", remedy: "Name it with --resource RESOURCE.")
        case GetMetadata.Key.userMetadata.rawValue:
            throw Mistake(
                "\(word) is not the name of a value.", remedy: "Give the name of the value itself, such as zip.")
        default: return .userMetadata(name: word)
        }
    }
}
