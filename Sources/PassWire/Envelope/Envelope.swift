// Splits a message into its calls, and checks their envelopes. The envelope of a call is its JSON-RPC object: version, id,
// method, params. If a call is wrong but its id is readable, the answer has this id. rpc.md §2.

public import PassJSON
public import PassProtocol

public enum Envelope: Sendable, Equatable {
    case single(Item)
    case batch([Item])

    public enum Item: Sendable, Equatable {
        case request(Request)
        /// The answer to send; the id is null if no id could be read.
        case refused(RequestID, RPCError)
    }

    public static let batchLimit = 32
    /// The max size of an id in bytes. It is limited, because passd keeps the id until the answer, which repeats it.
    static let maxIDSize = 256

    public static func read(_ message: [UInt8], limits: JSONLimits = JSONLimits()) -> Envelope {
        weigh(message, limits: limits).envelope
    }

    /// Reads a message. `keptBytes` is an upper bound of the memory of the params, in bytes.
    static func weigh(_ message: [UInt8], limits: JSONLimits) -> (envelope: Envelope, keptBytes: Int) {
        do throws(JSONFault) {
            let (value, keptBytes) = try JSONReader.weigh(message, limits: limits)
            return (read(value), keptBytes)
        } catch {
            return (.single(.refused(.null, .parseError(error.description))), 0)
        }
    }

    static func read(_ value: JSONValue) -> Envelope {
        guard let items = value.array else { return .single(item(value)) }
        guard !items.isEmpty else { return .single(.refused(.null, .invalidRequest("the batch is empty"))) }
        guard items.count <= batchLimit else {
            let reason = "a batch may hold \(batchLimit) messages, not \(items.count)"
            return .single(.refused(.null, .invalidRequest(reason, limit: batchLimit)))
        }
        return .batch(items.map(item))
    }

    private static func item(_ value: JSONValue) -> Item {
        guard let object = value.object else {
            return .refused(.null, .invalidRequest("it is \(value.kind), not an object"))
        }
        var id: RequestID?
        if let given = object["id"] {
            id = RequestID(given)
            guard let id else {
                return .refused(.null, .invalidRequest("the id is \(given.kind), not a string, a number or null"))
            }
            guard id.size <= maxIDSize else {
                return .refused(.null, .invalidRequest("the id is longer than \(maxIDSize) bytes", limit: maxIDSize))
            }
        }
        func refuse(_ reason: String) -> Item { .refused(id ?? .null, .invalidRequest(reason)) }
        guard let version = object["jsonrpc"] else { return refuse("the member \"jsonrpc\" is missing") }
        guard version == "2.0" else { return refuse("the member \"jsonrpc\" is not \"2.0\"") }
        guard let method = object["method"] else { return refuse("the member \"method\" is missing") }
        guard let name = method.string else { return refuse("the method is \(method.kind), not a string") }
        let params = object["params"]
        switch params {
        case nil, .object, .array: return .request(Request(id: id, method: name, params: params))
        // Many libraries write null for missing params.
        case .null?: return .request(Request(id: id, method: name))
        case let other?: return refuse("the params are \(other.kind), not an object")
        }
    }
}
