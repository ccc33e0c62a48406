let controlEndpoints: [Endpoint] = ServiceCommand.endpoints
let pageEndpoints: [Endpoint] = []
func pageNotFound() -> Response { .html("not found", status: 404) }
func codeProblemPage(_ problem: CodeProblem, status: Int) -> Response { .html("x", status: status) }
extension World {
    mutating func beginLogin(_ session: Session, _ mvpd: String, cameFromActivation: Bool, _ call: Call) -> Response { .redirect(to: "/login/x") }
}
