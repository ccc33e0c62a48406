// Draws a QR code in the form that the app asked for. rpc.md §4.

package import PassProtocol

extension QRPicture {
    /// The number of light modules around the code. Phones need these modules to find the code.
    package static let quiet = 4

    /// Draws the code of an address. If that fails, returns the reason instead of a picture.
    package static func drawing(_ address: String, as form: QRForm) -> QRPicture {
        do throws(QRCode.Fault) {
            let code = try QRCode(address)
            switch form {
            case .matrix: return .matrix(matrix(code))
            case .svg: return .svg(svg(code))
            case .png: return .png(PNG(code).bytes)
            }
        } catch {
            return .problem(error.description)
        }
    }

    /// Makes one text for each row, without the quiet zone.
    private static func matrix(_ code: QRCode) -> [String] {
        (0..<code.size).map { row in
            String((0..<code.size).map { code.isDark(row, $0) ? "1" : "0" })
        }
    }

    /// Makes one path for all dark modules. Neighbouring dark modules of a row become one rectangle. The side of a module
    /// is 1.
    private static func svg(_ code: QRCode) -> String {
        var path = ""
        for row in 0..<code.size {
            var column = 0
            while column < code.size {
                let start = column
                while code.isDark(row, column) { column += 1 }
                if column > start { path += "M\(start + quiet) \(row + quiet)h\(column - start)v1h-\(column - start)z" }
                column += 1
            }
        }
        let side = code.size + 2 * quiet
        return
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(side) \(side)\" shape-rendering=\"crispEdges\">"
            + "<rect width=\"\(side)\" height=\"\(side)\" fill=\"#fff\"/><path fill=\"#000\" d=\"\(path)\"/></svg>"
    }
}
