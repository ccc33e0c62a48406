// Tests which texts are origins of web apps. They must have the exact spelling that browsers send. docs/decisions/0021.

import PassProtocol
import Testing

@Suite struct WebOriginTests {
    @Test(arguments: [
        "https://news24.example", "http://localhost", "http://127.0.0.1:8080", "https://news24.example:8443",
        "https://a.b-c.d_e.example", "https://xn--mnchen-3ya.example", "http://[::1]:8080", "http://[2001:db8::1]",
        "https://news24.example:80", "http://news24.example:443",
    ])
    func `the text that a browser sends is an origin, and stays unchanged`(text: String) throws {
        #expect(try WebOrigin(text).description == text)
    }

    @Test(arguments: [
        ("", "expected http"), ("null", "null is sent by"), ("news24.example", "expected http"),
        ("//news24.example", "expected http"), ("file://", "expected https"), ("file:///srv/app", "expected https"),
        ("app://news24", "expected https"), ("HTTPS://news24.example", "expected https"),
        ("https://", "a host"), ("https://News24.example", "lower case"),
        ("https://m\u{FC}nchen.example", "lower case"),
        ("https://news24.example.", "a host"), ("https://.example", "a host"), ("https://a..example", "a host"),
        ("https://user@news24.example", "a host"), ("https://news24.example ", "a host"),
        ("https://*.example", "a host"), ("https://[::1", "a host"), ("https://[]", "a host"),
        ("https://[::G]", "a host"),
        ("https://news24.example/", "no path"), ("https://news24.example/tv", "no path"),
        ("https://news24.example?a", "no path"), ("https://news24.example#a", "no path"),
        ("https://news24.example:", "a port"), ("https://news24.example:0", "a port"),
        ("https://news24.example:08443", "a port"), ("https://news24.example:65536", "a port"),
        ("https://news24.example:+1", "a port"), ("https://news24.example:443", "no :443"),
        ("http://news24.example:80", "no :80"), ("https://a.example,https://b.example", "no path"),
        ("https://\(String(repeating: "a", count: 64)).example", "a host"),
        ("https://\(String(repeating: "a.", count: 200))example", "expected http"),
    ])
    func `any other text is refused with the reason`(text: String, reason: String) {
        let fault = #expect(throws: WebOrigin.Fault.self) { try WebOrigin(text) }
        #expect(fault?.description.contains(reason) == true, "\(fault?.description ?? "")")
    }
}
