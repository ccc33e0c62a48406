// Tests how the program reads a terminal's report of its background colour.

import Testing

@testable import PassCLI

@Suite("operations.md §1: the background of the terminal")
struct BackgroundTests {
    @Test(arguments: [
        ("15;0", Background.dark), ("0;15", .light), ("0;default;7", .light), ("15;8", .dark), ("default;default", nil),
        ("", nil), ("1;256", nil), ("0;-1", nil), ("0;99999999999999999999", nil),
    ])
    func `COLORFGBG ends with the background`(_ text: String, _ background: Background?) {
        #expect(Background(colorFGBG: text) == background)
    }

    @Test(arguments: [
        ("\u{1B}]11;rgb:ffff/ffff/dddd\u{1B}\\\u{1B}[?62;c", Background.light),
        ("\u{1B}]11;rgb:1e1e/1e1e/1e1e\u{7}\u{1B}[?6c", .dark), ("\u{1B}]11;rgba:ff/ff/ff/ff\u{7}", .light),
        ("\u{1B}]11;rgb:0/0/f\u{7}", .dark), ("x\u{1B}]11;rgb:8000/8000/8001\u{7}", .light), ("\u{1B}[?6c", nil),
        ("\u{1B}]11;rgb:ffff/ffff\u{7}", nil), ("\u{1B}]11;rgb:fffff/0/0\u{7}", nil), ("\u{1B}]11;rgb", nil),
        ("\u{1B}]11;rgb:-1/-1/-1\u{7}", nil), ("", nil),
    ])
    func `the terminal's answer contains its colour`(_ answer: String, _ background: Background?) {
        #expect(Background(answer: Array(answer.utf8)) == background)
    }

    @Test func `the answer is complete once it has the terminal's kind`() {
        for part in ["", "\u{1B}]11;rgb:cccc/cccc/cccc\u{7}", "\u{1B}[?62;4"] {
            #expect(!Background.isComplete(Array(part.utf8)))
        }
        #expect(Background.isComplete(Array("\u{1B}]11;rgb:0/0/0\u{7}\u{1B}[?62;4c".utf8)))
    }
}
