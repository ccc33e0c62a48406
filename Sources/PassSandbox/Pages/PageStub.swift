let pageEndpoints: [Endpoint] = []
func pageNotFound() -> Response { .html("not found", status: 404) }
func codeProblemPage(_ problem: CodeProblem, status: Int) -> Response { .html("x", status: status) }
func providerLogoURL(_ provider: Provider, _ origin: String) -> String { origin + "/logos/\(provider.id).svg" }
extension World {
    mutating func beginLogin(_ session: Session, _ mvpd: String, cameFromActivation: Bool, _ call: Call) -> Response {
        .redirect(to: "/login/x")
    }
}
