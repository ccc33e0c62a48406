// OpenSSL's libcrypto for Swift. Macros that Swift does not import stand here as functions.
#pragma once
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

static inline long pass_bio_contents(BIO *bio, char **text) { return BIO_get_mem_data(bio, text); }

enum {
    pass_pkey_public = EVP_PKEY_PUBLIC_KEY,
    pass_pkey_pair = EVP_PKEY_KEYPAIR,
    pass_utf8_string = MBSTRING_UTF8
};
