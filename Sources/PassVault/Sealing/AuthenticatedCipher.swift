// Seals one value at a time with AES-256-GCM from libcrypto. Opening returns exactly what was sealed with the same key,
// nonce and associated data, or nothing.

import CCrypto

enum AuthenticatedCipher {
    static let nonceCount = 12
    static let tagCount = 16

    /// Returns the ciphertext followed by its tag.
    static func seal(_ plain: [UInt8], with key: SealingKey, nonce: [UInt8], binding place: [UInt8]) -> [UInt8]? {
        guard let plainCount = Int32(exactly: plain.count), let placeCount = Int32(exactly: place.count),
            let context = EVP_CIPHER_CTX_new()
        else { return nil }
        defer { EVP_CIPHER_CTX_free(context) }
        var sealed = [UInt8](repeating: 0, count: plain.count + tagCount)
        var count: Int32 = 0
        let tagAt = plain.count
        let worked = key.withBytes { key in
            EVP_EncryptInit_ex(context, EVP_aes_256_gcm(), nil, key, nonce) == 1
                && EVP_EncryptUpdate(context, nil, &count, place, placeCount) == 1
                && EVP_EncryptUpdate(context, &sealed, &count, plain, plainCount) == 1
                && sealed.withUnsafeMutableBufferPointer { sealed in
                    EVP_EncryptFinal_ex(context, sealed.baseAddress.map { $0 + tagAt }, &count) == 1
                        && EVP_CIPHER_CTX_ctrl(
                            context, EVP_CTRL_AEAD_GET_TAG, Int32(tagCount), sealed.baseAddress.map { $0 + tagAt }) == 1
                }
        }
        return worked ? sealed : nil
    }

    static func open(
        _ sealed: ArraySlice<UInt8>, with key: SealingKey, nonce: [UInt8], binding place: [UInt8]
    )
        -> [UInt8]?
    {
        guard sealed.count >= tagCount, let textCount = Int32(exactly: sealed.count - tagCount),
            let placeCount = Int32(exactly: place.count), let context = EVP_CIPHER_CTX_new()
        else { return nil }
        defer { EVP_CIPHER_CTX_free(context) }
        let text = Array(sealed.dropLast(tagCount))
        var tag = Array(sealed.suffix(tagCount))
        // The array is one byte longer than needed, so that it has an address even if the value is empty.
        var plain = [UInt8](repeating: 0, count: text.count + 1)
        var count: Int32 = 0
        let worked = key.withBytes { key in
            EVP_DecryptInit_ex(context, EVP_aes_256_gcm(), nil, key, nonce) == 1
                && EVP_DecryptUpdate(context, nil, &count, place, placeCount) == 1
                && EVP_DecryptUpdate(context, &plain, &count, text, textCount) == 1
                && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tagCount), &tag) == 1
                && plain.withUnsafeMutableBufferPointer { plain in
                    EVP_DecryptFinal_ex(context, plain.baseAddress.map { $0 + text.count }, &count) == 1
                }
        }
        guard worked else {
            wipe(&plain)
            return nil
        }
        plain.removeLast()
        return plain
    }
}
