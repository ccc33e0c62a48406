// Reads numbers with units. The unit is always required: `500ms`, `3min`, `1MiB`. operations.md §2.

extension ValueType where Value == Duration {
    static func duration(_ min: String, _ max: String) -> ValueType {
        let range = (Quantity.milliseconds(min) ?? 0)...(Quantity.milliseconds(max) ?? .max)
        return ValueType("a duration with a unit (ms, s, min or h), from \(min) to \(max)") { text in
            Quantity.milliseconds(text).flatMap { range.contains($0) ? .milliseconds($0) : nil }
        }
    }
}

extension ValueType where Value == Int {
    static func count(_ range: ClosedRange<Int>) -> ValueType {
        ValueType("a number from \(range.lowerBound) to \(range.upperBound)") { text in
            Quantity.digits(text[...]).flatMap(Int.init(exactly:)).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    static func size(_ min: String, _ max: String) -> ValueType {
        let range = (Quantity.bytes(min) ?? 0)...(Quantity.bytes(max) ?? .max)
        return ValueType("a size with a unit (B, KiB, MiB or GiB), from \(min) to \(max)") { text in
            Quantity.bytes(text).flatMap { range.contains($0) ? Int(exactly: $0) : nil }
        }
    }
}

extension ValueType where Value == Double {
    static func decimal(_ range: ClosedRange<Double>) -> ValueType {
        let form = "a number from \(shown(range.lowerBound)) to \(shown(range.upperBound))"
        return ValueType(form) { text in
            // `Double` alone would also accept "inf", "0x1p3" and "1e9".
            guard text.utf8.count <= 16, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }) else {
                return nil
            }
            return Double(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    private static func shown(_ number: Double) -> String { Int(exactly: number).map(String.init) ?? "\(number)" }
}

enum Quantity {
    /// Reads a time of one or more parts, separated by spaces: `1min 30s`.
    static func milliseconds(_ text: String) -> Int64? {
        sum(text, ["ms": 1, "s": 1000, "min": 60_000, "h": 3_600_000])
    }

    static func bytes(_ text: String) -> Int64? {
        sum(text, ["B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30])
    }

    static func digits(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }

    private static func sum(_ text: String, _ units: [String: Int64]) -> Int64? {
        var total: Int64 = 0
        let parts = text.words
        for part in parts {
            let number = part.prefix { $0.isASCII && $0.isNumber }
            guard let count = digits(number), let unit = units[String(part[number.endIndex...])] else { return nil }
            let (product, tooMuch) = count.multipliedReportingOverflow(by: unit)
            let (sum, overflow) = total.addingReportingOverflow(product)
            guard !tooMuch, !overflow else { return nil }
            total = sum
        }
        return parts.isEmpty ? nil : total
    }
}
