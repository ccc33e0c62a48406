// Calls and answers of JSON-RPC. A `Request` has a correct envelope (see `Envelope`), but its method and params have not been
// checked.

public import PassJSON
public import PassProtocol

public struct Request: Sendable, Equatable {
    /// The id; nil for a notification. Notifications get no answer.
    public let id: RequestID?
    public let method: String
    /// The params: an object or an array. An array is refused later. Nil if there are none.
    public let params: JSONValue?

    public init(id: RequestID?, method: String, params: JSONValue? = nil) {
        self.id = id
        self.method = method
        self.params = params
    }

    public var json: JSONValue {
        .members(["jsonrpc": "2.0", "id": id?.json, "method": .string(method), "params": params])
    }
}

/// The result of a successful call, as a value or as finished text.
public enum CallResult: Sendable, Equatable {
    case value(JSONValue)
    case written(WrittenJSON)
}

extension Callback {
    /// Writes the callback as a notification.
    func write(by writer: inout JSONWriter) {
        writer.append(word: "{\"jsonrpc\":\"2.0\",\"method\":")
        writer.append(.string(name))
        writer.append(word: ",\"params\":")
        writer.append(json)
        writer.append(word: "}")
    }
}

/// The text of a callback, made once for many clients.
public struct WrittenCallback: Sendable {
    let text: WrittenJSON

    public init(_ callback: Callback) {
        var bytes: [UInt8] = []
        JSONWriter.append(to: &bytes) { callback.write(by: &$0) }
        text = WrittenJSON(text: bytes)
    }
}

/// The answer to one call.
public struct Response: Sendable, Equatable {
    public let id: RequestID
    public let outcome: Result<JSONValue, RPCError>

    public init(id: RequestID, outcome: Result<JSONValue, RPCError>) {
        self.id = id
        self.outcome = outcome
    }

    public var json: JSONValue {
        switch outcome {
        case .success(let result): ["jsonrpc": "2.0", "id": id.json, "result": result]
        case .failure(let error): ["jsonrpc": "2.0", "id": id.json, "error": error.json]
        }
    }

    /// Writes the JSON text of an answer.
    static func write(_ outcome: Result<CallResult, RPCError>, to id: RequestID, by writer: inout JSONWriter) {
        writer.append(word: opening)
        writer.append(id.json)
        writeEnd(of: outcome, by: &writer)
    }

    /// The text before the id.
    static var opening: StaticString { "{\"jsonrpc\":\"2.0\",\"id\":" }

    /// Writes the text after the id.
    static func writeEnd(of outcome: Result<CallResult, RPCError>, by writer: inout JSONWriter) {
        switch outcome {
        case .success(.value(let result)):
            writer.append(word: ",\"result\":")
            writer.append(result)
        case .success(.written(let result)):
            writer.append(word: ",\"result\":")
            writer.append(result)
        case .failure(let error):
            writer.append(word: ",\"error\":")
            writer.append(error.json)
        }
        writer.append(word: "}")
    }

    /// Reads an answer, for clients; nil if the value is not an answer.
    init?(json: JSONValue) {
        guard let id = json["id"].flatMap(RequestID.init) else { return nil }
        if let error = json["error"] {
            self.init(id: id, outcome: .failure(RPCError(json: error)))
        } else if let result = json["result"] {
            self.init(id: id, outcome: .success(result))
        } else {
            return nil
        }
    }
}
