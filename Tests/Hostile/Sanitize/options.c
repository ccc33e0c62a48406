// The leak detector is off, because Swift stores pointers together with other bits, so the detector does not find them. The
// options are linked into the programs, because tests start some programs with another environment.
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "detect_leaks=0"; }
