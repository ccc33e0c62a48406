// Divides the connections among users and pages, so that no user can take those of another user, and no strange page can
// take those of an app. A stranger is an origin that passd has not accepted for its user. Strangers get at most a quarter
// of all connections, and a quarter of the connections of one user. When that quarter is full, a new stranger evicts
// another one. An app is a stranger only for a moment, until passd accepts it. Accepted apps lose nothing.

#include "visitors.h"

#include "gateway.h"
#include "guest.h"
#include "link.h"
#include "page.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct visitor *visitors;

// MARK: Questions to passd

// The remaining questions to passd. passd counts the connections of all web apps together, because they begin as the
// gateway's. So the gateway limits them: a page must not use up the questions of other pages in its browser, and strangers
// must not use up the questions of apps.
struct patience {
    uid_t user;
    char origin[max_origin + 1];
    bool is_accepted;
    // A rule may name a unit, so passd's answer is about a control group. These are the group that passd accepted last, and
    // the one that it denied last.
    uint64_t accepted_group, denied_group;
    bool is_denied;
    double denied_at;
    // The last denial. Empty if it was too long to be kept, or if the page left before the answer. Leaving counts as a
    // denial.
    struct buffer denial;
    double left, since;
};

struct rate { double at_once, a_second; };
static const struct rate of_app = {64, 16}, of_strange_page = {16, 4}, of_strange_pages = {32, 8}, of_strangers = {128, 32};

// The time after a denial, in seconds, in which passd is not asked again. A new policy takes effect after it.
static const double denial_lasts = 2;

enum { max_patience = 256, max_denial = 4 << 10 };
static struct patience patience[max_patience];

static const uid_t nobody = (uid_t)-1;

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static struct patience *known(uid_t user, const char *origin) {
    for (size_t place = 0; place < max_patience; place++) {
        struct patience *one = &patience[place];
        if (one->since > 0 && one->user == user && strcmp(one->origin, origin) == 0) return one;
    }
    return NULL;
}

// Evicts the least recently seen origin for an unknown one. Origins that passd has accepted are evicted last.
static struct patience *made_known(uid_t user, const char *origin) {
    struct patience *oldest = &patience[0];
    for (size_t place = 1; place < max_patience; place++) {
        struct patience *one = &patience[place];
        if (one->is_accepted == oldest->is_accepted ? one->since < oldest->since : oldest->is_accepted) oldest = one;
    }
    buffer_clear(&oldest->denial);
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

static bool was_denied(const struct visitor *visitor, const struct patience *one) {
    return one != NULL && one->is_denied && one->denied_group == visitor->group;
}

bool is_app(const struct visitor *visitor, const char *origin) {
    const struct patience *app = known(visitor->user, origin);
    return app != NULL && app->is_accepted && !was_denied(visitor, app);
}

const struct buffer *recent_denial(const struct visitor *visitor, const char *origin) {
    const struct patience *one = known(visitor->user, origin);
    if (!was_denied(visitor, one) || buffer_size(&one->denial) == 0) return NULL;
    return seconds() - one->denied_at < denial_lasts ? &one->denial : NULL;
}

bool may_ask(const struct visitor *visitor, const char *origin) {
    if (is_app(visitor, origin)) {
        struct patience *app = refilled(visitor->user, origin, of_app);
        if (app->left < 1) return false;
        app->left -= 1;
        return true;
    }
    // Denied origins leave half of the questions to origins that passd has not answered yet, which may be apps. The more
    // questions a user has used, the more are left for other users: as many as it has used. Origins about which passd is
    // not asked are not recorded, so that they evict nothing.
    struct patience *of_all = refilled(nobody, "", of_strangers), *of_user = refilled(visitor->user, "", of_strange_pages);
    double for_new = was_denied(visitor, known(visitor->user, origin)) ? of_strange_pages.at_once / 2 : 0;
    double used = of_strange_pages.at_once - of_user->left;
    if (of_user->left < 1 + for_new || of_all->left < 1 + for_new + used) return false;
    struct patience *page = refilled(visitor->user, origin, of_strange_page);
    if (page->left < 1) return false;
    page->left -= 1, of_user->left -= 1, of_all->left -= 1;
    return true;
}

void note_accepted(const struct visitor *visitor, const char *origin) {
    if (is_app(visitor, origin)) return;
    struct patience *app = refilled(visitor->user, origin, of_app);
    if (was_denied(visitor, app)) app->is_denied = false;
    app->accepted_group = visitor->group;
    if (app->is_accepted) return;
    app->is_accepted = true;
    // So far, the app had the allowance of a strange page. This connection counts.
    app->left = of_app.at_once - 1;
}

void note_denied(struct visitor *visitor, const char *origin, const char *answer, size_t size) {
    visitor->is_stranger = true;
    struct patience *one = known(visitor->user, origin);
    if (one == NULL) return;
    if (one->accepted_group == visitor->group) one->is_accepted = false;
    one->is_denied = true;
    one->denied_group = visitor->group;
    one->denied_at = seconds();
    buffer_clear(&one->denial);
    if (size <= max_denial) buffer_add(&one->denial, answer, size);
}

// Counts a page that left without an answer. Otherwise a page that always leaves at once would never count as answered.
void note_unanswered(const struct visitor *visitor, const char *origin) {
    struct patience *one = known(visitor->user, origin);
    if (one == NULL || was_denied(visitor, one) || is_app(visitor, origin)) return;
    one->is_denied = true;
    one->denied_group = visitor->group;
    buffer_clear(&one->denial);
}

// MARK: Connections

static void remove_visitor(struct visitor *gone) {
    for (struct visitor **place = &visitors; *place != NULL; place = &(*place)->next) {
        if (*place != gone) continue;
        *place = gone->next;
        return;
    }
}

struct count { unsigned all, strangers; };

// Counts the connections of a user, or of all users if `user` is nobody.
static struct count connections_of(uid_t user) {
    struct count count = {0};
    for (struct visitor *one = visitors; one != NULL; one = one->next) {
        if (user != nobody && one->user != user) continue;
        count.all++;
        count.strangers += one->is_stranger;
    }
    return count;
}

static unsigned part(unsigned of) { return of < 4 ? 1 : of / 4; }

// Returns the origin; empty until it has arrived.
static const char *origin_of(const struct visitor *visitor) { return visitor->page == NULL ? "" : visitor->page->origin; }

// Counts the strangers with this visitor's user and origin.
static unsigned alike(const struct visitor *visitor) {
    unsigned count = 0;
    for (struct visitor *one = visitors; one != NULL; one = one->next)
        count += one->is_stranger && one->user == visitor->user && strcmp(origin_of(one), origin_of(visitor)) == 0;
    return count;
}

// Finds the stranger to evict. First the user with the most strangers is chosen, then that user's origin with the most,
// then its oldest stranger. NULL if there is none.
static struct visitor *dispensable(uid_t user) {
    struct visitor *found = NULL;
    unsigned most_of_user = 0, most_alike = 0;
    for (struct visitor *one = visitors; one != NULL; one = one->next) {
        if (!one->is_stranger || (user != nobody && one->user != user)) continue;
        unsigned of_user = connections_of(one->user).strangers, of_origin = alike(one);
        if (of_user < most_of_user || (of_user == most_of_user && of_origin < most_alike)) continue;
        found = one, most_of_user = of_user, most_alike = of_origin;
    }
    return found;
}

// Removes the visitor at once. Its connection is closed in a moment.
static bool evict(struct visitor *gone) {
    if (gone == NULL) return false;
    remove_visitor(gone);
    gone->is_evicted = true;
    if (gone->page != NULL) link_hang_up(gone->page);
    else refuse(lws_get_socket_fd(gone->web), "503 Service Unavailable");
    lws_set_timeout(gone->web, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
    return true;
}

struct visitor *visitor_enter(uid_t user) {
    struct count of_user = connections_of(user), of_all = connections_of(nobody);
    struct visitor *visitor = malloc(sizeof *visitor);
    if (visitor == NULL) return NULL;
    bool has_room = true;
    if (of_user.all >= settings.per_user || of_user.strangers >= part(settings.per_user)) has_room = evict(dispensable(user));
    else if (of_all.all >= settings.total || of_all.strangers >= part(settings.total)) has_room = evict(dispensable(nobody));
    if (!has_room) {
        free(visitor);
        return NULL;
    }
    *visitor = (struct visitor){.user = user, .is_stranger = true, .next = visitors};
    return visitors = visitor;
}

bool visitor_accept(struct visitor *visitor) {
    struct count of_all = connections_of(nobody);
    if (visitor->is_stranger && of_all.all - of_all.strangers >= settings.total - part(settings.total)) return false;
    visitor->is_stranger = false;
    return true;
}

void visitor_leave(struct visitor *visitor) {
    remove_visitor(visitor);
    free(visitor);
}

// MARK: Memory

// Counts the memory of a user's pages, or of all pages if `user` is nobody.
static size_t kept_by(uid_t user) {
    size_t kept = 0;
    for (struct visitor *one = visitors; one != NULL; one = one->next)
        if (user == nobody || one->user == user) kept += one->kept;
    return kept;
}

struct visitor *visitor_keeping_too_much(void) {
    enum { max_of_user = 24 << 20, max_of_all = 64 << 20 };
    size_t kept_by_all = kept_by(nobody), most = 0;
    if (kept_by_all <= max_of_user) return NULL;
    struct visitor *found = NULL;
    for (struct visitor *one = visitors; one != NULL; one = one->next) {
        size_t kept = kept_by(one->user);
        if (found == NULL || kept > most || (kept == most && one->kept > found->kept)) found = one, most = kept;
    }
    return most > max_of_user || kept_by_all > max_of_all ? found : NULL;
}
