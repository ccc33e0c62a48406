// OpenSSL's libcrypto for Swift, with functions in place of macros that Swift does not import.
#pragma once
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

static inline long pass_bio_contents(BIO *bio, char **text) { return BIO_get_mem_data(bio, text); }

enum { pass_utf8_string = MBSTRING_UTF8 };

#include <openssl/kdf.h>

// Derives a key from another key and a salt, which may be empty (RFC 5869, SHA-256). Returns 1 on success.
static inline int pass_hkdf_sha256(
    const unsigned char *secret, size_t secretCount, const unsigned char *salt, size_t saltCount, const char *purpose,
    size_t purposeCount, unsigned char *key, size_t keyCount) {
    EVP_KDF *method = EVP_KDF_fetch(NULL, OSSL_KDF_NAME_HKDF, NULL);
    EVP_KDF_CTX *context = method ? EVP_KDF_CTX_new(method) : NULL;
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)"SHA256", 0),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)secret, secretCount),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, (void *)purpose, purposeCount),
        saltCount ? OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, (void *)salt, saltCount)
                  : OSSL_PARAM_construct_end(),
        OSSL_PARAM_construct_end()};
    int worked = context && EVP_KDF_derive(context, key, keyCount, parameters) > 0;
    EVP_KDF_CTX_free(context);
    EVP_KDF_free(method);
    return worked;
}
