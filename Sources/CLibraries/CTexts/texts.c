// Puts tables of texts into the programs.

#include "CTexts.h"

#include <string.h>
#include <strings.h>

// Swift's Int is as wide as a pointer. The library for apps needs 64 bits, too; see CBuild.
_Static_assert(sizeof(void *) == 8, "PassClient needs a processor with 64 bits");

#pragma clang diagnostic ignored "-Wc23-extensions"

static const char reasons[] = {
#embed "reasons.txt"
    , 0};

static const char statuses[] = {
#embed "statuses.txt"
    , 0};

enum { languages = 6 };

static const struct {
    const char *name, *texts[languages];
} sentences[] = {
#include "sentences.h"
};

const char *pass_sentence(const char *name, const char *language) {
    // The first row has the languages. Only the first subtag counts: no language has texts for a region.
    size_t size = strcspn(language, "-"), column = languages;
    while (--column > 0) {
        const char *each = sentences[0].texts[column];
        if (strlen(each) == size && strncasecmp(each, language, size) == 0) break;
    }
    for (size_t row = 1; row < sizeof sentences / sizeof *sentences; row++)
        if (strcmp(sentences[row].name, name) == 0) return sentences[row].texts[column];
    return "";
}

const char *pass_reasons(void) { return reasons; }
const char *pass_statuses(void) { return statuses; }
