// The web gateway's first call on each connection, which names the web app that uses the connection from then on. Only
// the gateway may call it, so it is not in the table of methods. docs/decisions/0021.

public import PassJSON

public enum SpeakFor: RPCMethod {
    public typealias Result = EmptyResult

    public static let definition = MethodDefinition(
        "passd.speakFor", "Tells the daemon which web app the connection belongs to.",
        params: [
            .required("origin", .string, summary: "The origin of the page, as the browser sent it."),
            .required("uid", .integer(0...Int64(UInt32.max)), summary: "The browser's user, as the kernel reports it."),
            .optional("pid", .integer(1...Int64(Int32.max)), summary: "The browser's process, if that is known."),
            .optional("executable", .string), .optional("unit", .string),
        ],
        capability: nil, example: .init(["origin": "https://news24.example", "uid": 1000], [:]))

    public struct Params: MethodParams {
        public var origin: WebOrigin
        public var uid: UInt32
        public var pid: Int32?
        public var executable: String?
        public var unit: String?

        public init(
            origin: WebOrigin, uid: UInt32, pid: Int32? = nil, executable: String? = nil, unit: String? = nil
        ) {
            self.origin = origin
            self.uid = uid
            self.pid = pid
            self.executable = executable
            self.unit = unit
        }

        public init(params: JSONValue) throws(SchemaFault) {
            do throws(WebOrigin.Fault) { origin = try WebOrigin(params["origin"]?.string ?? "") } catch {
                throw SchemaFault(path: "origin", expected: "an origin", found: "\(error)")
            }
            // The kernel uses the highest number for "no user".
            guard let user = params["uid"]?.int64.flatMap(UInt32.init(exactly:)), user != .max else {
                throw SchemaFault(path: "uid", expected: "the number of a user", found: "none")
            }
            uid = user
            pid = params["pid"]?.int64.flatMap(Int32.init(exactly:))
            for name in ["executable", "unit"] { try params.limit(name, to: 4095) }
            executable = params.optionalText("executable")
            unit = params.optionalText("unit")
        }

        public var json: JSONValue {
            .members([
                "origin": .string(origin.description), "uid": .int(uid), "pid": pid.map { .int($0) },
                "executable": executable.map(JSONValue.string), "unit": unit.map(JSONValue.string),
            ])
        }
    }
}
