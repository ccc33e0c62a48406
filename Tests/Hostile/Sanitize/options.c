// Swift keeps pointers together with other bits, where the search for leaks does not find them. In the programs, since
// tests start some of them with an environment of their own.
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "detect_leaks=0"; }
