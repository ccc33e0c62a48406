// Puts tables of texts into the programs.

#include "CTexts.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const char reasons[] = {
#embed "reasons.txt"
    , 0};

static const char statuses[] = {
#embed "statuses.txt"
    , 0};

const char *pass_reasons(void) { return reasons; }
const char *pass_statuses(void) { return statuses; }
