// Tests that the tests' XML parser rejects invalid XML. Otherwise it would prove nothing.

import Testing

@Suite struct XMLReaderTests {
    @Test func `elements, attributes, entities and prefixes are read`() throws {
        let text = "<?xml version=\"1.0\"?>\n<p:a xmlns:p=\"n\"><b>1 &amp; 2&#13;</b><c/><d x=\"&lt;\">ü</d></p:a>"
        let root = try XMLElement.read(Array(text.utf8))
        #expect((root.name, root.prefix, root.namespace) == ("a", "p", "n"))
        #expect(root["b"]?.text == "1 & 2\r")
        #expect(root["c"]?.children.isEmpty == true)
        #expect(root["d"]?.attributes == ["x": "<"])
        #expect(root["d"]?.text == "ü")
    }

    @Test(arguments: [
        "", "text", "<a>", "<a></b>", "<a/><b/>", "<a>&nbsp;</a>", "<a>&</a>", "<a b></a>", "<a b=\"1\" b=\"2\"/>",
        "<1/>", "<a>text<b/></a>", "<a>\u{1}</a>",
    ])
    func `XML that is not well-formed is refused`(text: String) {
        #expect(throws: XMLFault.self) { try XMLElement.read(Array(text.utf8)) }
    }
}
