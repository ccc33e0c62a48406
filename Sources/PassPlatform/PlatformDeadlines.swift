// How long the platform helper may take. docs/platform-helper.md.

extension PlatformHelper {
    package struct Deadlines: Sendable {
        /// Until it has said hello, and for what needs no viewer.
        var silent = Duration.seconds(5)
        /// For a proof of the provider's, which comes over the network.
        var proof = Duration.seconds(15)
        /// With a prompt or a picker.
        var viewer = Duration.seconds(300)
        /// For the answer to a question that was withdrawn. Who does not give one hangs.
        var withdrawn = Duration.seconds(5)
        /// For everything at the daemon's end.
        var farewell = Duration.seconds(3)

        package init() {}
    }
}
