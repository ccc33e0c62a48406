// The deadlines of the platform helper. docs/platform-helper.md.

extension PlatformHelper {
    package struct Deadlines: Sendable {
        /// The deadline for the helper's first message (`hello`), and for the answers to questions that need no viewer.
        var silent = Duration.seconds(5)
        /// The deadline for the provider's proof of the login, which the helper fetches over the network.
        var proof = Duration.seconds(15)
        /// The deadline for the answers to questions that may show a prompt or a picker to the viewer.
        var viewer = Duration.seconds(300)
        /// The deadline for the answer to a withdrawn question. A helper that does not answer counts as hanging.
        var withdrawn = Duration.seconds(5)
        /// When the daemon stops, the helper has this time to end.
        var farewell = Duration.seconds(3)

        package init() {}
    }
}
