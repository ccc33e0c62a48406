#include "CArguments.h"

static char **words;

// Runs before any other code of the program.
__attribute__((constructor)) static void keep_arguments(int count, char **arguments) {
    (void)count;
    words = arguments;
}

char **pass_arguments(void) { return words; }
