// The sandbox's switches. Each has a default, which is how the contract's reading has it; the annotated list is in
// docs/sandbox.md.

struct Settings: Sendable {
    /// Refuse what the contract's tables forbid although the service is known to tolerate it.
    var strict = false
    var throttle = Throttle()
    var sessionLifetime = Duration.seconds(30 * 60)
    var accessTokenLifetime = Duration.seconds(6 * 60 * 60)
    /// Nil: client credentials are for ever.
    var clientLifetime: Duration?
    var mediaTokenLifetime = Duration.seconds(7 * 60)
    var degradedLifetime = Duration.seconds(60 * 60)
    var serviceTokenLifetime = Duration.seconds(60 * 60)
    var linkLifetime = Duration.seconds(15 * 60)
    var denialLifetime = Duration.seconds(60 * 60)
    /// Answer 200 instead of 201 to a token request.
    var tokenStatusOK = false
    /// `created_at` in seconds, as older servers have it.
    var createdAtInSeconds = false
    var omitScopes = false
    var omitTokenID = false
    /// An OAuth error code that every registration gets.
    var refuseRegistration: String?
    /// A device key is trusted the first time it is seen with a registered client.
    var trustFirstUse = true
    var metadataPadding = RSAPadding.oaep
    /// REST V1: a login belongs to the client registration as well as to the device.
    var bindToClient = false
    /// REST V1: a device without a login takes over one that it has for another service provider.
    var deviceSignOn = true
    /// REST V1: a comma in `resource` of a preauthorization stands between two resources.
    var splitCommas = true

    struct Throttle: Sendable {
        var rate = 1.0
        var burst = 10.0
        /// The burst is an allowance at first contact and does not come back.
        var oneTimeBurst = false
    }
}
