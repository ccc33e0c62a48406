// What admin methods return: an object that the daemon gathers from its parts. The schema of the method says what
// is in it, and a test holds the daemon's reports against it.

import PassJSON

public struct Report: MethodResult {
    public var json: JSONValue

    public init(_ members: JSONObject) { json = .object(members) }
}
