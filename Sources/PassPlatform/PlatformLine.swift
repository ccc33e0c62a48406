// Reads and writes the lines between the daemon and the platform helper. Each line is one JSON object. This code does no I/O.
// docs/platform-helper.md.

import AccessEnabler
import PassJSON
import PassProtocol
import PassWire

/// A line from the daemon to the helper.
enum PlatformOrder: Sendable {
    case hello
    case permission(AppID, mayPrompt: Bool)
    case account(PlatformQuery)
    case cancel

    static let version: Int64 = 1

    func line(_ id: Int64) -> [UInt8] { JSONWriter.bytes(message(id)) }

    private func message(_ id: Int64) -> JSONValue {
        switch self {
        case .hello: ["type": "hello", "protocol": .int(Self.version), "daemon": .string("passd/\(PassdVersion.text)")]
        case .permission(let app, let mayPrompt):
            ["type": "permission", "id": .int(id), "app": .string(app.rawValue), "mayPrompt": .bool(mayPrompt)]
        case .account(let query):
            .members([
                "type": "account", "id": .int(id), "app": .string(query.app.rawValue),
                "requestor": .string(query.requestor.rawValue), "mayInterrupt": .bool(query.mayInterrupt),
                "supported": .strings(query.supported), "featured": .strings(query.featured),
                "attributes": .strings(query.attributes),
                "verificationToken": query.verificationToken.map { .string($0.base64) },
            ])
        case .cancel: ["type": "cancel", "id": .int(id)]
        }
    }
}

package struct PlatformIntroduction: Equatable, Sendable {
    package let name: String
    package let version: String
}

/// A line from the helper to the daemon.
enum PlatformLine: Sendable {
    case hello(PlatformIntroduction, version: Int64)
    case result(Int64, JSONObject)
    case failure(Int64, PlatformFault)
    case dialog(Int64, PlatformDialog)
    /// A type that this version does not know.
    case unknown(String)

    /// A fault of a line. The description contains nothing from the line, because the line may have a secret.
    struct Fault: Error, Equatable, Sendable { let description: String }

    private static let limits = JSONLimits(depth: 8, values: 1000)

    static func read(_ bytes: [UInt8]) throws(Fault) -> PlatformLine {
        let value: JSONValue
        do throws(JSONFault) { value = try JSONReader.read(bytes, limits: limits) } catch {
            throw Fault(description: "it printed a line that is not JSON")
        }
        guard let object = value.object, let type = object["type"]?.string else {
            throw Fault(description: "it printed a line that is not an object with a type")
        }
        let members = PlatformMembers(object)
        switch type {
        case "hello":
            let introduction = PlatformIntroduction(
                name: try members.name("name"), version: try members.name("version"))
            return .hello(introduction, version: try members.number("protocol"))
        case "result": return .result(try members.number("id"), object)
        case "error": return .failure(try members.number("id"), try fault(members))
        case "presentDialog": return .dialog(try members.number("id"), .present(try members.name("handle")))
        case "dismissDialog": return .dialog(try members.number("id"), .dismiss(try members.name("handle")))
        default: return .unknown(PlatformMembers.shown(type))
        }
    }

    private static func fault(_ members: PlatformMembers) throws(Fault) -> PlatformFault {
        switch try members.name("code") {
        case "cancelled": .cancelled
        case "otherProvider": .otherProvider
        case "unsupportedProvider": .unsupportedProvider(try members.name("unsupportedProvider"))
        case let code: .failed(code: code, message: try members.optionalText("message") ?? "")
        }
    }
}

extension PlatformPermission {
    init(_ result: JSONObject) throws(PlatformLine.Fault) {
        let word = try PlatformMembers(result).name("permission")
        guard let permission = PlatformPermission(rawValue: word) else {
            throw PlatformLine.Fault(description: "it reported an unknown permission")
        }
        self = permission
    }
}

extension PlatformAccount {
    init(_ result: JSONObject) throws(PlatformLine.Fault) {
        let members = PlatformMembers(result)
        self.init(
            providerID: try members.has("provider") ? members.name("provider") : nil,
            expires: try members.has("expires") ? ServerTime(milliseconds: members.number("expires")) : nil,
            samlResponse: try members.optionalText("samlResponse").map { Secret($0) })
    }
}

/// Reads the members of one line, and checks their types and sizes. A null member counts as absent.
private struct PlatformMembers {
    /// The max size of a name, code or handle.
    private static let maxNameBytes = 256

    private let object: JSONObject

    init(_ object: JSONObject) { self.object = object }

    func has(_ name: String) -> Bool { object[name].map { !$0.isNull } ?? false }

    func number(_ name: String) throws(PlatformLine.Fault) -> Int64 {
        guard let number = object[name]?.int64 else { throw fault(name, "a whole number") }
        return number
    }

    func name(_ name: String) throws(PlatformLine.Fault) -> String {
        guard let text = object[name]?.string, (1...Self.maxNameBytes).contains(text.utf8.count) else {
            throw fault(name, "a string of 1 to \(Self.maxNameBytes) bytes")
        }
        return text
    }

    func optionalText(_ name: String) throws(PlatformLine.Fault) -> String? {
        guard has(name) else { return nil }
        guard let text = object[name]?.string else { throw fault(name, "a string") }
        return text
    }

    private func fault(_ name: String, _ form: String) -> PlatformLine.Fault {
        PlatformLine.Fault(description: "it printed a line whose \(name) is not \(form)")
    }

    /// The beginning of a text from the helper, for the journal.
    static func shown(_ text: String) -> String { String(text.prefix(64)) }
}
