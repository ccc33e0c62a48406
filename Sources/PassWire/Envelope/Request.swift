// One call with a correct envelope. Its method and params have not been checked.

import PassJSON
import PassProtocol

public struct Request: Sendable, Equatable {
    /// Nil if it is a notification, which gets no answer.
    public let id: RequestID?
    public let method: String
    /// An object, or an array, which will be refused; nil if there are none.
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

/// The result of a successful call.
public enum CallResult: Sendable, Equatable {
    case value(JSONValue)
    case written(WrittenJSON)
}

/// One answer.
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

    /// The JSON text of an answer.
    static func bytes(_ id: RequestID, _ outcome: Result<CallResult, RPCError>) -> [UInt8] {
        switch outcome {
        case .success(.value(let result)): return JSONWriter.bytes(Response(id: id, outcome: .success(result)).json)
        case .failure(let error): return JSONWriter.bytes(Response(id: id, outcome: .failure(error)).json)
        case .success(.written(let result)):
            var writer = JSONWriter()
            writer.append(word: "{\"jsonrpc\":\"2.0\",\"id\":")
            writer.append(id.json)
            writer.append(word: ",\"result\":")
            writer.append(result)
            writer.append(word: "}")
            return writer.bytes
        }
    }

    /// Parses an answer on the client's side; nil if it is not an answer.
    init?(json: JSONValue) {
        guard let id = json["id"].flatMap(RequestID.init) else { return nil }
        if let error = json["error"] {
            guard let error = RPCError(json: error) else { return nil }
            self.init(id: id, outcome: .failure(error))
        } else if let result = json["result"] {
            self.init(id: id, outcome: .success(result))
        } else {
            return nil
        }
    }
}
