// Limits the connections of users and pages. No user can use up the connections of another user. No stranger can use up the
// connections of an app. A stranger is an origin that passd has not accepted for its user. Strangers get at most a quarter of
// all connections, and at most a quarter of the connections of each user. When this quarter is full, a new stranger evicts
// another stranger. An app is a stranger only for a moment, until passd accepts it. Accepted apps are never evicted.

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

// The quota of questions to passd for one origin of a user. Each connection of a web app begins as a connection of the gateway,
// so passd counts the new connections of all web apps together. The gateway has to divide passd's limit among the pages: a page
// must not use up the questions of other pages in its browser, and strangers must not use up the questions of apps.
struct quota {
    uid_t user;
    char origin[max_origin + 1];
    bool is_accepted;
    // The control groups of the last accepted and of the last denied visitor. An answer of passd applies only to one group,
    // because a rule may require a systemd unit.
    uint64_t accepted_group, denied_group;
    bool is_denied;
    double denied_at;
    // passd's last denial. Empty if it was too long, or if the page left before the answer, because leaving counts as a denial.
    struct buffer denial;
    double left, since;
};

struct rate { double burst, per_second; };
static const struct rate app_rate = {64, 16}, page_rate = {16, 4}, user_rate = {32, 8}, strangers_rate = {128, 32};

// For this time after a denial, in seconds, the gateway does not ask passd again. A new policy takes effect afterwards.
static const double denial_lifetime = 2;

enum { max_quotas = 256, max_denial = 4 << 10 };
static struct quota quotas[max_quotas];

static const uid_t all_users = (uid_t)-1;

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static struct quota *find_quota(uid_t user, const char *origin) {
    for (size_t place = 0; place < max_quotas; place++) {
        struct quota *one = &quotas[place];
        if (one->since > 0 && one->user == user && strcmp(one->origin, origin) == 0) return one;
    }
    return NULL;
}

// Makes an entry for an unknown origin. The new entry replaces the entry of the least recently seen origin. Entries of origins
// that passd has accepted are replaced last.
static struct quota *add_quota(uid_t user, const char *origin) {
    struct quota *oldest = &quotas[0];
    for (size_t place = 1; place < max_quotas; place++) {
        struct quota *one = &quotas[place];
        if (one->is_accepted == oldest->is_accepted ? one->since < oldest->since : oldest->is_accepted) oldest = one;
    }
    buffer_clear(&oldest->denial);
    *oldest = (struct quota){.user = user};
    strcpy(oldest->origin, origin);
    return oldest;
}

static struct quota *refill(uid_t user, const char *origin, struct rate rate) {
    struct quota *one = find_quota(user, origin);
    if (one == NULL) one = add_quota(user, origin);
    double now = seconds(), left = one->since == 0 ? rate.burst : one->left + (now - one->since) * rate.per_second;
    one->left = left < rate.burst ? left : rate.burst;
    one->since = now;
    return one;
}

static bool was_denied(const struct visitor *visitor, const struct quota *one) {
    return one != NULL && one->is_denied && one->denied_group == visitor->group;
}

bool is_app(const struct visitor *visitor, const char *origin) {
    const struct quota *app = find_quota(visitor->user, origin);
    return app != NULL && app->is_accepted && !was_denied(visitor, app);
}

const struct buffer *recent_denial(const struct visitor *visitor, const char *origin) {
    const struct quota *one = find_quota(visitor->user, origin);
    if (!was_denied(visitor, one) || buffer_size(&one->denial) == 0) return NULL;
    return seconds() - one->denied_at < denial_lifetime ? &one->denial : NULL;
}

bool may_ask(const struct visitor *visitor, const char *origin) {
    if (is_app(visitor, origin)) {
        struct quota *app = refill(visitor->user, origin, app_rate);
        if (app->left < 1) return false;
        app->left -= 1;
        return true;
    }
    // Denied origins may use only half of a user's questions. The other half is for origins without an answer of passd, because
    // they may be apps. If a user has used N questions, a further question is sent only if more than N questions are left for
    // all users together. An origin gets its entry only after these checks, so that a refused question displaces no other
    // origin.
    struct quota *of_all = refill(all_users, "", strangers_rate), *of_user = refill(visitor->user, "", user_rate);
    double for_new = was_denied(visitor, find_quota(visitor->user, origin)) ? user_rate.burst / 2 : 0;
    double used = user_rate.burst - of_user->left;
    if (of_user->left < 1 + for_new || of_all->left < 1 + for_new + used) return false;
    struct quota *page = refill(visitor->user, origin, page_rate);
    if (page->left < 1) return false;
    page->left -= 1, of_user->left -= 1, of_all->left -= 1;
    return true;
}

void note_accepted(const struct visitor *visitor, const char *origin) {
    if (is_app(visitor, origin)) return;
    struct quota *app = refill(visitor->user, origin, app_rate);
    if (was_denied(visitor, app)) app->is_denied = false;
    app->accepted_group = visitor->group;
    if (app->is_accepted) return;
    app->is_accepted = true;
    // Until now, the app had the quota of a stranger. This connection counts in the app's new quota.
    app->left = app_rate.burst - 1;
}

void note_denied(struct visitor *visitor, const char *origin, const char *answer, size_t size) {
    visitor->is_stranger = true;
    struct quota *one = find_quota(visitor->user, origin);
    if (one == NULL) return;
    if (one->accepted_group == visitor->group) one->is_accepted = false;
    one->is_denied = true;
    one->denied_group = visitor->group;
    one->denied_at = seconds();
    buffer_clear(&one->denial);
    if (size <= max_denial) buffer_add(&one->denial, answer, size);
}

// Records that a page left before passd answered. The page's origin then counts as denied, because pages that leave at once
// could otherwise use up the questions for new origins.
void note_unanswered(const struct visitor *visitor, const char *origin) {
    struct quota *one = find_quota(visitor->user, origin);
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

// Counts the connections of a user, or of all users if `user` is all_users.
static struct count connections_of(uid_t user) {
    struct count count = {0};
    for (struct visitor *one = visitors; one != NULL; one = one->next) {
        if (user != all_users && one->user != user) continue;
        count.all++;
        count.strangers += one->is_stranger;
    }
    return count;
}

static unsigned quarter(unsigned of) { return of < 4 ? 1 : of / 4; }

// Returns the origin; empty until it has arrived.
static const char *origin_of(const struct visitor *visitor) { return visitor->page == NULL ? "" : visitor->page->origin; }

// Counts the strangers with this visitor's user and origin.
static unsigned strangers_like(const struct visitor *visitor) {
    unsigned count = 0;
    for (struct visitor *one = visitors; one != NULL; one = one->next)
        count += one->is_stranger && one->user == visitor->user && strcmp(origin_of(one), origin_of(visitor)) == 0;
    return count;
}

// Returns the stranger to evict; NULL if there is none. The choice is made in three steps: the user with the most strangers,
// the origin with the most strangers of this user, and the oldest of these strangers.
static struct visitor *find_victim(uid_t user) {
    struct visitor *found = NULL;
    unsigned user_max = 0, origin_max = 0;
    for (struct visitor *one = visitors; one != NULL; one = one->next) {
        if (!one->is_stranger || (user != all_users && one->user != user)) continue;
        unsigned of_user = connections_of(one->user).strangers, of_origin = strangers_like(one);
        if (of_user < user_max || (of_user == user_max && of_origin < origin_max)) continue;
        found = one, user_max = of_user, origin_max = of_origin;
    }
    return found;
}

// Removes the visitor at once. The visitor's connection is closed a moment later.
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
    struct count of_user = connections_of(user), of_all = connections_of(all_users);
    struct visitor *visitor = malloc(sizeof *visitor);
    if (visitor == NULL) return NULL;
    bool has_room = true;
    if (of_user.all >= settings.per_user || of_user.strangers >= quarter(settings.per_user))
        has_room = evict(find_victim(user));
    else if (of_all.all >= settings.total || of_all.strangers >= quarter(settings.total))
        has_room = evict(find_victim(all_users));
    if (!has_room) {
        free(visitor);
        return NULL;
    }
    *visitor = (struct visitor){.user = user, .is_stranger = true, .next = visitors};
    return visitors = visitor;
}

bool visitor_accept(struct visitor *visitor) {
    struct count of_all = connections_of(all_users);
    if (visitor->is_stranger && of_all.all - of_all.strangers >= settings.total - quarter(settings.total)) return false;
    visitor->is_stranger = false;
    return true;
}

void visitor_leave(struct visitor *visitor) {
    remove_visitor(visitor);
    free(visitor);
}

// MARK: Memory

// Counts the memory of a user's pages, or of all pages if `user` is all_users.
static size_t kept_by(uid_t user) {
    size_t kept = 0;
    for (struct visitor *one = visitors; one != NULL; one = one->next)
        if (user == all_users || one->user == user) kept += one->kept;
    return kept;
}

struct visitor *visitor_keeping_too_much(void) {
    enum { max_of_user = 24 << 20, max_of_all = 64 << 20 };
    size_t kept_by_all = kept_by(all_users), largest = 0;
    if (kept_by_all <= max_of_user) return NULL;
    struct visitor *found = NULL;
    for (struct visitor *one = visitors; one != NULL; one = one->next) {
        size_t kept = kept_by(one->user);
        if (found == NULL || kept > largest || (kept == largest && one->kept > found->kept)) found = one, largest = kept;
    }
    return largest > max_of_user || kept_by_all > max_of_all ? found : NULL;
}
