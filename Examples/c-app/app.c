/* Signs in, lists what may be watched, plays it, and signs in again after a logout. usage: app [PROVIDER]
 * cc app.c -o app $(pkg-config --cflags --libs libpassd) */
#include <passd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A missing value is printed as an empty text. */
static const char *or_nothing(const char *words) { return words == NULL ? "" : words; }

static void choose(void *context, const passd_json *providers) {
    char line[100];
    for (const passd_json *each = passd_at(providers, 0); each != NULL; each = passd_next(each)) {
        const char *id = passd_string(passd_get(each, "id")), *name = passd_string(passd_get(each, "displayName"));
        printf("%s  %s\n", or_nothing(id), or_nothing(name));
    }
    printf("Your provider: ");
    fflush(stdout);
    if (fgets(line, sizeof line, stdin) == NULL) line[0] = 0;
    line[strcspn(line, "\n")] = 0;
    passd_choose(context, line[0] == 0 ? NULL : line);
}

static void show(void *context, const passd_login *login) {
    (void)context;
    const char *page = login->link != NULL ? login->link : login->url != NULL ? login->url : "the activation page";
    printf("Open %s on %s. Code: %s\n", page, login->is_local ? "this machine" : "your phone", or_nothing(login->code));
}

static void ended(void *context, const passd_outcome *outcome, const passd_error *error) {
    (void)context, (void)error;
    if (outcome == NULL || strcmp(outcome->outcome, "authenticated") == 0) return;
    fprintf(stderr, "%s\n", outcome->display == NULL ? "Not signed in." : outcome->display);
}

static void called_back(void *signed_out, const char *name, const passd_json *params) {
    if (strcmp(name, PASSD_ON_SET_AUTHENTICATION_STATUS) != 0) return;
    if (passd_integer(passd_get(params, "status"), 0) == 0) *(bool *)signed_out = true;
}

static void play(passd *tv, const char *channel) {
    passd_json *play = passd_ask(tv, PASSD_CHECK_AUTHORIZATION, 0, "{'resource': %s}", channel);
    const char *token = passd_string(passd_get(play, "token")), *display = passd_string(passd_get(play, "display"));
    if (passd_true(passd_get(play, "authorized"))) printf("%s: token %.12s\n", channel, or_nothing(token));
    else printf("%s: %s\n", channel, play == NULL ? passd_failure(tv)->message : or_nothing(display));
    passd_json_free(play);
}

static int fail(passd *tv) {
    const passd_error *error = passd_failure(tv) == NULL ? passd_ending(tv) : passd_failure(tv);
    if (error != NULL) fprintf(stderr, "%s %s (%s)\n", error->message, error->remedy, error->code);
    passd_free(tv);
    return 1;
}

int main(int count, char **arguments) {
    bool signed_out = false;
    setvbuf(stdout, NULL, _IOLBF, 0); /* writes each line at once, also into a file */
    passd *tv = passd_new();
    if (tv == NULL) return 1;
    passd_set_name(tv, "c-app", "1");
    passd_set_requestor(tv, "LUMENTV", getenv("STATEMENT")); /* not needed if the box has a stanza for this app */
    passd_on_callback(tv, called_back, &signed_out);
    passd_signing_in how = {.context = tv, .choose = choose, .show = show, .ended = ended};
    if (count > 1) how.provider = arguments[1];
    if (!passd_connect(tv)) return fail(tv);
    while (passd_sign_in_and_wait(tv, &how)) {
        signed_out = false;
        passd_json *menu = passd_ask(tv, PASSD_CHECK_PREAUTHORIZED_RESOURCES, 0,
                                     "{'resources': ['lumen-sports-1', 'lumen-movies', 'lumen-trailers']}");
        const passd_json *channels = passd_get(menu, "resources");
        for (const passd_json *each = passd_at(channels, 0); each != NULL; each = passd_next(each))
            play(tv, passd_string(each));
        passd_json_free(menu);
        while (!signed_out && passd_wait(tv, -1)) {}
        if (signed_out) puts("Signed out.");
    }
    return fail(tv);
}
