// Finds the directory with the control group's number. Uses only names that systemd itself chose: the slices from the root
// down, and the unit below them. Names below the unit do not count, because a unit, such as a user's manager, may give its own
// groups any names.

#include "unit.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

// The search is limited, because users may make many control groups and each connection needs a lookup.
enum { max_looked_at = 1024, max_path = 1024, remembered_groups = 16 };

struct place {
    struct place *next;
    // The unit's name; empty while only slices were found.
    char unit[max_unit_name];
    char path[];
};

struct search {
    int root;
    ino64_t wanted;
    struct place *first, **last;
    int looked_at;
    // Whether the group was found. If so, `name` is the name of its unit.
    bool is_found;
    char *name;
};

// Opens the root of control groups of version 2. The system may also have version 1.
static int open_root(void) {
    static const char *const roots[] = {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"};
    for (size_t number = 0; number < sizeof roots / sizeof *roots; number++) {
        int root = open(roots[number], O_PATH | O_DIRECTORY | O_CLOEXEC);
        struct statfs facts;
        if (root >= 0 && fstatfs(root, &facts) == 0 && facts.f_type == CGROUP2_SUPER_MAGIC) return root;
        if (root >= 0) close(root);
    }
    return -1;
}

static bool ends_with(const char *name, const char *end) {
    size_t size = strlen(name), of_end = strlen(end);
    return size > of_end && strcmp(name + size - of_end, end) == 0;
}

// Whether a unit can have this name. Only the backslash needs escaping in JSON.
static bool is_unit(const char *name) {
    return (ends_with(name, ".service") || ends_with(name, ".scope")) && strlen(name) < max_unit_name
        && name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:-_.\\@")] == '\0';
}

static void look_into_later(struct search *search, const struct place *above, const char *name, const char *unit) {
    size_t size = strlen(above->path) + 1 + strlen(name) + 1;
    if (size > max_path) return;
    struct place *place = calloc(1, sizeof *place + size);
    if (place == NULL) return;
    strcpy(place->unit, unit);
    strcpy(place->path, above->path);
    strcat(place->path, "/");
    strcat(place->path, name);
    *search->last = place;
    search->last = &place->next;
}

static void meet(struct search *search, const struct place *place, const struct dirent64 *entry) {
    const char *unit = place->unit;
    if (unit[0] == '\0' && !ends_with(entry->d_name, ".slice")) {
        // systemd puts an underscore in front of a name that looks like a control file.
        const char *plain = entry->d_name + (entry->d_name[0] == '_');
        if (!is_unit(plain)) return;
        unit = plain;
    }
    if (entry->d_ino != search->wanted) return look_into_later(search, place, entry->d_name, unit);
    search->is_found = true;
    strcpy(search->name, unit);
}

static void look_into(struct search *search, const struct place *place) {
    int directory = openat(search->root, place->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (directory < 0) return;
    DIR *entries = fdopendir(directory);
    if (entries == NULL) {
        close(directory);
        return;
    }
    const struct dirent64 *entry;
    while (!search->is_found && (entry = readdir64(entries)) != NULL) {
        if (entry->d_type != DT_DIR || strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        meet(search, place, entry);
    }
    closedir(entries);
}

static bool find(uint64_t group, char name[max_unit_name]) {
    struct search search = {
        .root = open_root(),
        // The group's number is compared with file numbers, which have only as many bits as the kernel's pointers.
        .wanted = sizeof(void *) == 8 ? group : (uint32_t)group,
        .name = name,
    };
    if (search.root < 0) return false;
    search.last = &search.first;
    struct place *start = calloc(1, sizeof *start + 2);
    if (start != NULL) strcpy(start->path, ".");
    search.first = start;
    if (start != NULL) search.last = &start->next;
    while (search.first != NULL) {
        struct place *place = search.first;
        if (!search.is_found && search.looked_at++ < max_looked_at) look_into(&search, place);
        search.first = place->next;
        if (search.first == NULL) search.last = &search.first;
        free(place);
    }
    close(search.root);
    return search.is_found && name[0] != '\0';
}

bool unit_of_group(uint64_t group, char name[max_unit_name]) {
    // Results of earlier searches. The kernel uses each number only once, so a found unit stays valid. A search without a
    // result is not stored, because it may have reached its limits.
    static struct { uint64_t group; char name[max_unit_name]; } known[remembered_groups];
    static size_t next;
    if (group == 0) return false;
    for (size_t number = 0; number < remembered_groups; number++) {
        if (known[number].group != group) continue;
        strcpy(name, known[number].name);
        return true;
    }
    if (!find(group, name)) return false;
    known[next].group = group;
    strcpy(known[next].name, name);
    next = (next + 1) % remembered_groups;
    return true;
}
