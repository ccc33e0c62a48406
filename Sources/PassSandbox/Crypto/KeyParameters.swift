// The numbers of a key for libcrypto. Its builder keeps only pointers to names and values, so this object holds them
// until the key is made.

import CCrypto
import Glibc

final class KeyParameters {
    private let builder: OpaquePointer?
    private var numbers: [OpaquePointer?] = []
    private var texts: [UnsafeMutablePointer<CChar>?] = []
    private var buffers: [UnsafeMutableRawBufferPointer] = []

    init() { builder = OSSL_PARAM_BLD_new() }

    deinit {
        OSSL_PARAM_BLD_free(builder)
        numbers.forEach(BN_clear_free)
        texts.forEach { free($0) }
        buffers.forEach { $0.deallocate() }
    }

    /// Adds a copy of the number.
    func add(_ name: String, _ number: OpaquePointer?) {
        let copy = BN_dup(number)
        numbers.append(copy)
        OSSL_PARAM_BLD_push_BN(builder, held(name), copy)
    }

    func add(_ name: String, _ bigEndian: [UInt8]) {
        let number = BN_bin2bn(bigEndian, Int32(bigEndian.count), nil)
        numbers.append(number)
        OSSL_PARAM_BLD_push_BN(builder, held(name), number)
    }

    func add(_ name: String, text: String) { OSSL_PARAM_BLD_push_utf8_string(builder, held(name), held(text), 0) }

    func add(_ name: String, octets: [UInt8]) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: octets.count, alignment: 1)
        buffer.copyBytes(from: octets)
        buffers.append(buffer)
        OSSL_PARAM_BLD_push_octet_string(builder, held(name), buffer.baseAddress, octets.count)
    }

    /// Makes the key and passes it to `use`; nil if the numbers are not a key.
    func withKey<R>(_ type: String, pair: Bool, _ use: (OpaquePointer) -> R?) -> R? {
        guard let parameters = OSSL_PARAM_BLD_to_param(builder) else { return nil }
        defer { OSSL_PARAM_free(parameters) }
        guard let maker = EVP_PKEY_CTX_new_from_name(nil, type, nil) else { return nil }
        defer { EVP_PKEY_CTX_free(maker) }
        var key: OpaquePointer?
        guard EVP_PKEY_fromdata_init(maker) == 1,
            EVP_PKEY_fromdata(maker, &key, Int32(pair ? pass_pkey_pair : pass_pkey_public), parameters) == 1, let key
        else { return nil }
        defer { EVP_PKEY_free(key) }
        return use(key)
    }

    private func held(_ text: String) -> UnsafePointer<CChar>? {
        let copy = strdup(text)
        texts.append(copy)
        return UnsafePointer(copy)
    }
}
