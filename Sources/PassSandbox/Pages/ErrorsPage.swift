// The page of all error codes and their meaning. The `helpUrl` of an error points to its entry. Contract:
// rest-v2.md §6.2.

func errorsPage() -> Response {
    let entries = ErrorCode.allCases.map { code -> HTML in
        """
        <div id="\(code.rawValue)"><dt><code>\(code.rawValue)</code></dt>
        <dd>\(code.message)</dd>
        <dd>Status \(code.status) · action <code>\(code.action)</code></dd></div>

        """
    }
    return Page(
        title: "Error codes – pass-sandbox", heading: "Error codes", style: .developer,
        main: """
            <p class="lead">The field <code>code</code> of an enhanced error, with the HTTP status and the action \
            that come with it. In a list of decisions, the status is part of the item, and the call itself \
            succeeds.</p>
            <dl class="errors">
            \(entries)</dl>
            """
    ).response()
}
