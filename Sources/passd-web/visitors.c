// What one user takes must not be missing for another one, whoever of them comes first. All strangers have one small part of the
// connections, in which whoever has come last finds room: one who is accepted is no stranger any more a moment later, and the
// others have nothing to lose.

#include "visitors.h"

#include "gateway.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct visitor *visitors;

// MARK: What passd is asked

// How often passd may still be asked. passd counts the connections of all web apps together, since they are the gateway's when
// they come, so nobody may use up its patience: not one page that of its browser's other pages, nor strangers that of apps.
struct patience {
    uid_t user;
    char origin[most_origin + 1];
    bool is_accepted;
    double left, since;
};

struct rate { double at_once, a_second; };
static const struct rate of_app = {64, 16}, of_strange_page = {16, 4}, of_strange_pages = {32, 8}, of_strangers = {128, 32};

enum { most_patience = 256 };
static struct patience patience[most_patience];

static const uid_t nobody = (uid_t)-1;

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static struct patience *known(uid_t user, const char *origin) {
    for (size_t place = 0; place < most_patience; place++) {
        struct patience *one = &patience[place];
        if (one->since > 0 && one->user == user && strcmp(one->origin, origin) == 0) return one;
    }
    return NULL;
}

// Whoever has come last longest ago makes room for who is not known, and those that passd has accepted after all others.
static struct patience *made_known(uid_t user, const char *origin) {
    struct patience *oldest = &patience[0];
    for (size_t place = 1; place < most_patience; place++) {
        struct patience *one = &patience[place];
        if (one->is_accepted == oldest->is_accepted ? one->since < oldest->since : oldest->is_accepted) oldest = one;
    }
    *oldest = (struct patience){.user = user};
    strcpy(oldest->origin, origin);
    return oldest;
}

static struct patience *refilled(uid_t user, const char *origin, struct rate rate) {
    struct patience *one = known(user, origin);
    if (one == NULL) one = made_known(user, origin);
    double now = seconds(), left = one->since == 0 ? rate.at_once : one->left + (now - one->since) * rate.a_second;
    one->left = left < rate.at_once ? left : rate.at_once;
    one->since = now;
    return one;
}

bool may_ask(uid_t user, const char *origin) {
    struct patience *app = known(user, origin);
    if (app != NULL && app->is_accepted) {
        if (refilled(user, origin, of_app)->left < 1) return false;
        app->left -= 1;
        return true;
    }
    // The page, all such pages of its user, and those of all users.
    struct patience *all[] = {
        refilled(user, origin, of_strange_page), refilled(user, "", of_strange_pages), refilled(nobody, "", of_strangers),
    };
    for (size_t place = 0; place < 3; place++) if (all[place]->left < 1) return false;
    for (size_t place = 0; place < 3; place++) all[place]->left -= 1;
    return true;
}

void note_accepted(uid_t user, const char *origin) {
    struct patience *app = known(user, origin);
    if (app != NULL && app->is_accepted) return;
    app = refilled(user, origin, of_app);
    app->is_accepted = true;
    // What it had left was that of a strange page. This connection counts.
    app->left = of_app.at_once - 1;
    for (struct visitor *one = visitors; one != NULL; one = one->next) if (one->user == user) one->is_stranger = false;
}

static bool is_stranger(uid_t user) {
    for (size_t place = 0; place < most_patience; place++)
        if (patience[place].is_accepted && patience[place].user == user) return false;
    return true;
}

// MARK: Who is here

static void remove_visitor(struct visitor *gone) {
    for (struct visitor **place = &visitors; *place != NULL; place = &(*place)->next) {
        if (*place != gone) continue;
        *place = gone->next;
        return;
    }
}

static unsigned connections_of(uid_t user) {
    unsigned count = 0;
    for (struct visitor *one = visitors; one != NULL; one = one->next) count += one->user == user;
    return count;
}

// The stranger who has been here for longest, of the user who has most of them.
static struct visitor *dispensable(void) {
    struct visitor *found = NULL;
    unsigned most = 0;
    for (struct visitor *one = visitors; one != NULL; one = one->next) {
        if (!one->is_stranger) continue;
        unsigned count = connections_of(one->user);
        if (count >= most) found = one, most = count;
    }
    return found;
}

struct visitor *visitor_enter(uid_t user) {
    unsigned strangers = 0, others = 0, part = settings.total / 4;
    for (struct visitor *one = visitors; one != NULL; one = one->next) one->is_stranger ? strangers++ : others++;
    struct visitor new = {.user = user, .is_stranger = is_stranger(user), .next = visitors};
    if (connections_of(user) >= settings.per_user || (!new.is_stranger && others >= settings.total - part)) return NULL;
    struct visitor *visitor = malloc(sizeof *visitor);
    if (visitor == NULL) return NULL;
    if (new.is_stranger && strangers >= part) {
        struct visitor *gone = dispensable();
        // It is forgotten here at once, and its connection is closed in a moment.
        remove_visitor(gone);
        lws_set_timeout(gone->web, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
        new.next = visitors;
    }
    *visitor = new;
    return visitors = visitor;
}

void visitor_leave(struct visitor *visitor) {
    remove_visitor(visitor);
    free(visitor);
}

// MARK: What they keep

// Of all users if the user is nobody.
static size_t kept_by(uid_t user) {
    size_t kept = 0;
    for (struct visitor *one = visitors; one != NULL; one = one->next)
        if (user == nobody || one->user == user) kept += one->kept;
    return kept;
}

struct visitor *visitor_keeping_too_much(void) {
    enum { most_of_user = 24 << 20, most_of_all = 64 << 20 };
    size_t kept_by_all = kept_by(nobody), most = 0;
    if (kept_by_all <= most_of_user) return NULL;
    struct visitor *found = NULL;
    for (struct visitor *one = visitors; one != NULL; one = one->next) {
        size_t kept = kept_by(one->user);
        if (found == NULL || kept > most || (kept == most && one->kept > found->kept)) found = one, most = kept;
    }
    return most > most_of_user || kept_by_all > most_of_all ? found : NULL;
}
