// Tests digests with the vectors of their standards. FIPS 180-4; RFC 1321 §A.5.

import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

@Suite struct DigestTests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        ("größe", "d353a2671b67afff0941ae456e5c76e9394bd6579774ae7542a6185fb9843384"),
    ]) func `SHA-256`(text: String, digest: String) { #expect(Digest.sha256(text) == digest) }

    @Test(arguments: [
        ("", "d41d8cd98f00b204e9800998ecf8427e"), ("abc", "900150983cd24fb0d6963f7d28e17f72"),
        ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
    ]) func `MD5`(text: String, digest: String) { #expect(Digest.md5(text) == digest) }
}
