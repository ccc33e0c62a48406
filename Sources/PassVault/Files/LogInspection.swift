// Examines SQLite's write-ahead log for lost commits. The log consists of frames, each with one page of the database. SQLite
// plays the log back up to the first bad frame and silently ignores the rest. After a power cut, the rest is a commit that was
// never acknowledged. A commit is on the disk before the next commit begins. Therefore, a bad frame before a complete commit
// means that an acknowledged change is lost, and the viewer has to be told. Damage at the end of the log looks like a power
// cut; `CommitMark` reveals it. The format is SQLite's (fileformat2, §4).

enum LogInspection {
    enum Finding {
        /// All frames are valid, or there is no log.
        case whole
        /// The beginning of the log is valid, and the rest does not prove that a commit is lost.
        case endsEarly
        case damaged
    }

    static func inspect(_ path: String) -> Finding {
        guard let file = (try? PlainFile(path)) ?? nil else { return .whole }
        return inspect(size: file.size) { (try? file.read($0, at: $1)) ?? 0 }
    }

    static func inspect(_ log: [UInt8]) -> Finding {
        inspect(size: log.count) { target, start in
            let part = log[min(start, log.count)...].prefix(target.count)
            target.copyBytes(from: part)
            return part.count
        }
    }

    /// Inspects a log. `read` fills the memory with the bytes at an offset and returns their number.
    private static func inspect(size: Int, _ read: (UnsafeMutableRawBufferPointer, Int) -> Int) -> Finding {
        guard size > 0 else { return .whole }
        guard size > headerCount + frameHeaderCount else { return .endsEarly }
        // SQLite empties a healthy log long before it reaches this size.
        guard size <= StoreSize.maxLogBytes else { return .damaged }
        var header = [UInt8](repeating: 0, count: headerCount)
        guard header.withUnsafeMutableBytes({ read($0, 0) }) == headerCount else { return .endsEarly }
        return header.withUnsafeBytes { header in
            let magic = word(header, 0)
            let pageSize = Int(word(header, 8))
            var sum = Checksum(isBigEndian: magic & 1 == 1)
            sum.add(UnsafeRawBufferPointer(rebasing: header[..<24]))
            // A power cut does not cause a bad header, because SQLite syncs the header before it writes the first frame.
            guard magic & ~1 == 0x377f_0682, sum.matches(header, 24), (512...65536).contains(pageSize)
            else { return .damaged }
            var walk = Walk(salt: header.loadUnaligned(fromByteOffset: 16, as: UInt64.self), sum: sum)
            return walk.goThrough(size: size, frameCount: frameHeaderCount + pageSize, read)
        }
    }

    private static let headerCount = 32
    fileprivate static let frameHeaderCount = 24
    /// The max size of the piece of the log that is in memory, in bytes.
    private static let pieceBytes = 1 << 20

    /// Goes through the log from frame to frame.
    private struct Walk {
        let salt: UInt64
        var sum: Checksum
        var isBroken = false
        var commitsAfter = 0

        mutating func goThrough(
            size: Int, frameCount: Int, _ read: (UnsafeMutableRawBufferPointer, Int) -> Int
        ) -> Finding {
            let maxPiece = max(1, LogInspection.pieceBytes / frameCount) * frameCount
            var piece = [UInt8](repeating: 0, count: min(maxPiece, size))
            var start = LogInspection.headerCount
            while start + frameCount <= size {
                let count = piece.withUnsafeMutableBytes { read($0, start) } / frameCount
                guard count > 0 else { return .endsEarly }
                let isDamaged = piece.withUnsafeBytes { piece in
                    (0..<count).contains { index in
                        let frame = piece[index * frameCount..<(index + 1) * frameCount]
                        return !accept(UnsafeRawBufferPointer(rebasing: frame))
                    }
                }
                if isDamaged { return .damaged }
                start += count * frameCount
            }
            return isBroken || start < size ? .endsEarly : .whole
        }

        /// Returns false if the frame proves that a commit is lost.
        private mutating func accept(_ frame: UnsafeRawBufferPointer) -> Bool {
            // SQLite reuses the file of the log. Frames from an earlier use have another salt, and the log ends before the
            // first of these frames. A damaged frame may also seem to have another salt, but frames with the right salt follow
            // it.
            guard frame.loadUnaligned(fromByteOffset: 8, as: UInt64.self) == salt else {
                isBroken = true
                return true
            }
            if commitsAfter > 0 { return false }
            if !isBroken {
                sum.add(UnsafeRawBufferPointer(rebasing: frame[..<8]))
                sum.add(UnsafeRawBufferPointer(rebasing: frame[LogInspection.frameHeaderCount...]))
                isBroken = !sum.matches(frame, 16)
            }
            if isBroken, word(frame, 4) != 0 { commitsAfter += 1 }
            return true
        }
    }

    private struct Checksum {
        let isBigEndian: Bool
        private var one: UInt32 = 0
        private var two: UInt32 = 0

        init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

        mutating func add(_ bytes: UnsafeRawBufferPointer) {
            var (first, second) = (one, two)
            var offset = 0
            while offset + 8 <= bytes.count {
                let left = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                let right = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
                first &+= (isBigEndian ? left.bigEndian : left.littleEndian) &+ second
                second &+= (isBigEndian ? right.bigEndian : right.littleEndian) &+ first
                offset += 8
            }
            (one, two) = (first, second)
        }

        func matches(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> Bool {
            word(bytes, index) == one && word(bytes, index + 4) == two
        }
    }
}

private func word(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> UInt32 {
    bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self).bigEndian
}
