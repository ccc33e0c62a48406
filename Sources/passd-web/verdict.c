// An answer has either a result, or an error with an error code. The JSON parser of libwebsockets reads the answer.

#include "verdict.h"

#include <libwebsockets.h>
#include <stdbool.h>
#include <string.h>

enum { max_verdict = 64 << 10 };

enum member { no_member, result, fault, code };
static const char *const members[] = {"result", "error", "error.data.code"};

struct answer { bool has_result, has_fault, is_denial; };

static signed char meet(struct lejp_ctx *parser, char reason) {
    struct answer *answer = parser->user;
    if (reason == LEJPCB_PAIR_NAME) {
        if (parser->path_match == result) answer->has_result = true;
        if (parser->path_match == fault) answer->has_fault = true;
    }
    if (reason == LEJPCB_VAL_STR_END && parser->path_match == code) answer->is_denial = strcmp(parser->buf, "DENIED") == 0;
    return 0;
}

enum verdict verdict_in(const char *bytes, size_t size) {
    struct answer answer = {0};
    struct lejp_ctx parser;
    if (size > max_verdict) return is_refused;
    lejp_construct(&parser, meet, &answer, members, sizeof members / sizeof *members);
    // The parser returns the number of remaining bytes, or a negative number.
    bool is_whole = lejp_parse(&parser, (const unsigned char *)bytes, (int)size) == 0;
    lejp_destruct(&parser);
    if (!is_whole || answer.has_result == answer.has_fault) return is_refused;
    return answer.has_result ? is_accepted : answer.is_denial ? is_denied : is_refused;
}
