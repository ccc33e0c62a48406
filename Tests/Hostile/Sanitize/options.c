// Swift stores pointers together with other bits, where the leak detector does not find them. The options are linked into
// the programs, because tests start some of them with another environment.
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "detect_leaks=0"; }
