// The deadlines of the platform helper. docs/platform-helper.md.

extension PlatformHelper {
    package struct Deadlines: Sendable {
        /// Until its hello, and for questions that need no viewer.
        var silent = Duration.seconds(5)
        /// For the provider's proof of the login, which the helper fetches over the network.
        var proof = Duration.seconds(15)
        /// For questions that may show a prompt or a picker to the viewer.
        var viewer = Duration.seconds(300)
        /// For the answer to a question that was withdrawn. A helper that does not answer it hangs.
        var withdrawn = Duration.seconds(5)
        /// For the helper to end when the daemon stops.
        var farewell = Duration.seconds(3)

        package init() {}
    }
}
