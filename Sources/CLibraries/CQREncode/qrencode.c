#include "CQREncode.h"

#include <dlfcn.h>
#include <pthread.h>
#include <qrencode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static __typeof__(&QRcode_encodeString) encode;
static __typeof__(&QRcode_free) release;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int is_loaded;

static const char *load(void) {
    static char trouble[256];
    void *library = dlopen("libqrencode.so.4", RTLD_NOW | RTLD_LOCAL);
    if (library) {
        encode = (__typeof__(encode))dlsym(library, "QRcode_encodeString");
        release = (__typeof__(release))dlsym(library, "QRcode_free");
        if (encode && release) return NULL;
    }
    const char *reason = dlerror();
    snprintf(trouble, sizeof trouble, "%s", reason ? reason : "no reason");
    if (library) dlclose(library);
    return trouble;
}

const char *pass_qr_load(void) {
    pthread_mutex_lock(&lock);
    const char *trouble = is_loaded ? NULL : load();
    is_loaded = !trouble;
    pthread_mutex_unlock(&lock);
    return trouble;
}

int pass_qr_encode(const char *text, int level, unsigned char **modules) {
    QRcode *code = encode(text, 0, (QRecLevel)level, QR_MODE_8, 1);
    if (!code) return 0;
    size_t count = (size_t)code->width * (size_t)code->width;
    int width = code->width;
    *modules = malloc(count);
    if (*modules) memcpy(*modules, code->data, count); else width = 0;
    release(code);
    return width;
}

void pass_qr_free(unsigned char *modules) { free(modules); }
