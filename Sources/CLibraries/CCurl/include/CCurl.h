// libcurl for Swift. The program is not linked to libcurl, because its forty libraries would cost memory and time. libcurl is
// loaded for the first request. Each variadic setter becomes one function per argument type.
#pragma once
#include <curl/curl.h>

// Loads the library if it is not loaded yet. Returns the reason if that fails, else NULL. Call the functions below only after
// this has returned NULL. May be called from any thread.
const char *pass_curl_load(void);

CURLcode pass_curl_global_init(long flags);
CURL *pass_curl_easy_init(void);
void pass_curl_easy_cleanup(CURL *handle);
CURLcode pass_curl_easy_perform(CURL *handle);
// May be called even if the library is not loaded.
const char *pass_curl_easy_strerror(CURLcode code);
struct curl_slist *pass_curl_slist_append(struct curl_slist *list, const char *text);
void pass_curl_slist_free_all(struct curl_slist *list);

CURLcode pass_curl_set_long(CURL *handle, CURLoption option, long value);
CURLcode pass_curl_set_string(CURL *handle, CURLoption option, const char *value);
CURLcode pass_curl_set_pointer(CURL *handle, CURLoption option, void *value);
CURLcode pass_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value);
CURLcode pass_curl_set_offset(CURL *handle, CURLoption option, curl_off_t value);
CURLcode pass_curl_set_writer(CURL *handle, size_t (*writer)(char *, size_t, size_t, void *), void *context);
CURLcode pass_curl_set_header_reader(CURL *handle, size_t (*reader)(char *, size_t, size_t, void *), void *context);
CURLcode pass_curl_set_socket_opener(CURL *handle, curl_opensocket_callback opener, void *context);
CURLcode pass_curl_set_prerequest(CURL *handle, curl_prereq_callback callback, void *context);
CURLcode pass_curl_get_long(CURL *handle, CURLINFO info, long *value);
CURLcode pass_curl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value);
CURLcode pass_curl_get_string(CURL *handle, CURLINFO info, char **value);

CURLM *pass_curl_multi_init(void);
CURLMcode pass_curl_multi_cleanup(CURLM *multi);
CURLMcode pass_curl_multi_set_long(CURLM *multi, CURLMoption option, long value);
CURLMcode pass_curl_multi_add_handle(CURLM *multi, CURL *handle);
CURLMcode pass_curl_multi_remove_handle(CURLM *multi, CURL *handle);
CURLMcode pass_curl_multi_perform(CURLM *multi, int *running);
CURLMcode pass_curl_multi_poll(CURLM *multi, int timeout);
CURLMcode pass_curl_multi_wakeup(CURLM *multi);
CURLMsg *pass_curl_multi_info_read(CURLM *multi, int *remaining);
