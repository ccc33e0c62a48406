#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

// The functions that passd uses, by their names without the prefix.
#define FUNCTIONS(each)                                                                                                \
    each(global_init) each(easy_init) each(easy_cleanup) each(easy_perform) each(easy_strerror) each(easy_setopt)      \
    each(easy_getinfo) each(slist_append) each(slist_free_all) each(multi_init) each(multi_cleanup) each(multi_setopt) \
    each(multi_add_handle) each(multi_remove_handle) each(multi_perform) each(multi_poll) each(multi_wakeup)           \
    each(multi_info_read)

#define POINTER(name) __typeof__(&curl_##name) name;
static struct { FUNCTIONS(POINTER) } curl;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int is_loaded;

static const char *load(void) {
    static char trouble[256];
    // This name means the variant of libcurl with OpenSSL. Programs that are linked to that variant use the same file.
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    const char *missing = NULL;
    if (library) {
#define FIND(name) \
    if (!(curl.name = (__typeof__(curl.name))dlsym(library, "curl_" #name)) && !missing) missing = dlerror();
        FUNCTIONS(FIND)
        if (!missing) return NULL;
    } else {
        missing = dlerror();
    }
    snprintf(trouble, sizeof trouble, "%s", missing ? missing : "no reason");
    if (library) dlclose(library);
    return trouble;
}

const char *pass_curl_load(void) {
    pthread_mutex_lock(&lock);
    const char *trouble = is_loaded ? NULL : load();
    is_loaded = !trouble;
    pthread_mutex_unlock(&lock);
    return trouble;
}

CURLcode pass_curl_global_init(long flags) { return curl.global_init(flags); }
CURL *pass_curl_easy_init(void) { return curl.easy_init(); }
void pass_curl_easy_cleanup(CURL *handle) {
    if (handle) curl.easy_cleanup(handle);
}
CURLcode pass_curl_easy_perform(CURL *handle) { return curl.easy_perform(handle); }
const char *pass_curl_easy_strerror(CURLcode code) {
    return pass_curl_load() ? "libcurl cannot be loaded" : curl.easy_strerror(code);
}
struct curl_slist *pass_curl_slist_append(struct curl_slist *list, const char *text) {
    return curl.slist_append(list, text);
}
void pass_curl_slist_free_all(struct curl_slist *list) {
    if (list) curl.slist_free_all(list);
}

CURLcode pass_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl.easy_setopt(handle, option, value);
}
CURLcode pass_curl_set_string(CURL *handle, CURLoption option, const char *value) {
    return curl.easy_setopt(handle, option, value);
}
CURLcode pass_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl.easy_setopt(handle, option, value);
}
CURLcode pass_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return curl.easy_setopt(handle, option, value);
}
CURLcode pass_curl_set_offset(CURL *handle, CURLoption option, curl_off_t value) {
    return curl.easy_setopt(handle, option, value);
}
CURLcode pass_curl_set_writer(CURL *handle, size_t (*writer)(char *, size_t, size_t, void *), void *context) {
    CURLcode code = curl.easy_setopt(handle, CURLOPT_WRITEFUNCTION, writer);
    return code ? code : curl.easy_setopt(handle, CURLOPT_WRITEDATA, context);
}
CURLcode pass_curl_set_header_reader(CURL *handle, size_t (*reader)(char *, size_t, size_t, void *), void *context) {
    CURLcode code = curl.easy_setopt(handle, CURLOPT_HEADERFUNCTION, reader);
    return code ? code : curl.easy_setopt(handle, CURLOPT_HEADERDATA, context);
}
CURLcode pass_curl_set_socket_opener(CURL *handle, curl_opensocket_callback opener, void *context) {
    CURLcode code = curl.easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, opener);
    return code ? code : curl.easy_setopt(handle, CURLOPT_OPENSOCKETDATA, context);
}
CURLcode pass_curl_set_prerequest(CURL *handle, curl_prereq_callback callback, void *context) {
    CURLcode code = curl.easy_setopt(handle, CURLOPT_PREREQFUNCTION, callback);
    return code ? code : curl.easy_setopt(handle, CURLOPT_PREREQDATA, context);
}
CURLcode pass_curl_get_long(CURL *handle, CURLINFO info, long *value) { return curl.easy_getinfo(handle, info, value); }
CURLcode pass_curl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
    return curl.easy_getinfo(handle, info, value);
}
CURLcode pass_curl_get_string(CURL *handle, CURLINFO info, char **value) {
    return curl.easy_getinfo(handle, info, value);
}

CURLM *pass_curl_multi_init(void) { return curl.multi_init(); }
CURLMcode pass_curl_multi_cleanup(CURLM *multi) { return curl.multi_cleanup(multi); }
CURLMcode pass_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl.multi_setopt(multi, option, value);
}
CURLMcode pass_curl_multi_add_handle(CURLM *multi, CURL *handle) { return curl.multi_add_handle(multi, handle); }
CURLMcode pass_curl_multi_remove_handle(CURLM *multi, CURL *handle) { return curl.multi_remove_handle(multi, handle); }
CURLMcode pass_curl_multi_perform(CURLM *multi, int *running) { return curl.multi_perform(multi, running); }
CURLMcode pass_curl_multi_poll(CURLM *multi, int timeout) { return curl.multi_poll(multi, NULL, 0, timeout, NULL); }
CURLMcode pass_curl_multi_wakeup(CURLM *multi) { return curl.multi_wakeup(multi); }
CURLMsg *pass_curl_multi_info_read(CURLM *multi, int *remaining) { return curl.multi_info_read(multi, remaining); }
