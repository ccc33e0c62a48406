// SQLite takes the write-ahead log up to the first frame that is not right and says nothing of the rest. After a power
// cut that is the rest of a commit that nobody was told of. But a right commit is on the disk before the next one
// begins: when a bad frame is followed by a whole commit and by more, something acknowledged is gone, and the viewer
// is to hear of it. Damage at the end looks like a power cut; `CommitMark` tells that. The format is SQLite's (fileformat2, §4).

enum LogInspection {
    static func isDamaged(_ path: String) -> Bool {
        ((try? PlainFile.read(path)) ?? nil).map { isDamaged($0) } ?? false
    }

    static func isDamaged(_ log: [UInt8]) -> Bool {
        guard log.count > headerCount + frameHeaderCount else { return false }
        let magic = word(log, 0)
        let pageSize = Int(word(log, 8))
        var sum = Checksum(isBigEndian: magic & 1 == 1)
        sum.add(log[0..<24])
        // The header is on the disk before the first frame is.
        guard magic & ~1 == 0x377f_0682, sum.matches(log, 24), (512...65536).contains(pageSize)
        else { return true }
        let salt = log[16..<24]
        var isBroken = false
        var commitsAfter = 0
        var start = headerCount
        while start + frameHeaderCount + pageSize <= log.count {
            // Frames of an earlier round have another salt: the log ends before them. So do those that damage hit, and what
            // comes behind them tells which it is.
            guard log[start + 8..<start + 16].elementsEqual(salt) else {
                isBroken = true
                start += frameHeaderCount + pageSize
                continue
            }
            if commitsAfter > 0 { return true }
            if !isBroken {
                sum.add(log[start..<start + 8])
                sum.add(log[start + frameHeaderCount..<start + frameHeaderCount + pageSize])
                isBroken = !sum.matches(log, start + 16)
            }
            if isBroken, word(log, start + 4) != 0 { commitsAfter += 1 }
            start += frameHeaderCount + pageSize
        }
        return false
    }

    private static let headerCount = 32
    private static let frameHeaderCount = 24

    private struct Checksum {
        let isBigEndian: Bool
        private var one: UInt32 = 0
        private var two: UInt32 = 0

        init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

        mutating func add(_ bytes: ArraySlice<UInt8>) {
            for index in stride(from: bytes.startIndex, to: bytes.endIndex - 7, by: 8) {
                one &+= load(bytes, index) &+ two
                two &+= load(bytes, index + 4) &+ one
            }
        }

        func matches(_ log: [UInt8], _ index: Int) -> Bool { word(log, index) == one && word(log, index + 4) == two }

        private func load(_ bytes: ArraySlice<UInt8>, _ index: Int) -> UInt32 {
            let value =
                UInt32(bytes[index]) << 24 | UInt32(bytes[index + 1]) << 16 | UInt32(bytes[index + 2]) << 8
                | UInt32(bytes[index + 3])
            return isBigEndian ? value : value.byteSwapped
        }
    }
}

private func word(_ bytes: [UInt8], _ index: Int) -> UInt32 {
    bytes[index..<index + 4].reduce(0) { $0 << 8 | UInt32($1) }
}
