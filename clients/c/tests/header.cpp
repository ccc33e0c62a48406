/* Checks that C++17 can read the header and link the library. */
#include <passd.h>

#include <cstring>

int main() {
    passd_json *value = passd_read("{\"a\": [1]}", 10, nullptr);
    bool good = passd_integer(passd_at(passd_get(value, "a"), 0), 0) == 1;
    passd_json_free(value);
    passd *tv = passd_new();
    passd_on_callback(tv, [](void *, const char *name, const passd_json *) { (void)std::strcmp(name, PASSD_ON_SET_TOKEN); }, nullptr);
    passd_signing_in how{};
    good = passd_sign_in(tv, &how) != 0 && good;
    passd_free(tv);
    return good ? 0 : 1;
}
