/* A service on a D-Bus, and a client that calls the service repeatedly. Both use sd-bus, as real programs do.
 * usage: bus serve ANSWER            answers each call with that text
 *        bus ask REQUEST SECONDS     prints the times of its calls
 * DBUS_SESSION_BUS_ADDRESS names the bus. */
#include "common.h"
#include "samples.h"
#include <stdio.h>
#include <string.h>
#include <systemd/sd-bus.h>

static const char name[] = "org.example.Bench", path[] = "/org/example/Bench";

static void check(int result, const char *what) {
    if (result < 0) errx(1, "%s: %s", what, strerror(-result));
}

static int answer(sd_bus_message *call, void *text, sd_bus_error *error) {
    (void)error;
    const char *request;
    int result = sd_bus_message_read(call, "s", &request);
    return result < 0 ? result : sd_bus_reply_method_return(call, "s", (const char *)text);
}

static const sd_bus_vtable methods[] = {
    SD_BUS_VTABLE_START(0), SD_BUS_METHOD("Ask", "s", "s", answer, SD_BUS_VTABLE_UNPRIVILEGED), SD_BUS_VTABLE_END};

static void serve(sd_bus *bus, char *text) {
    check(sd_bus_add_object_vtable(bus, NULL, path, name, methods, text), "sd_bus_add_object_vtable");
    check(sd_bus_request_name(bus, name, 0), "sd_bus_request_name");
    puts("ready");
    fflush(stdout);
    for (;;) {
        int done = sd_bus_process(bus, NULL);
        check(done, "sd_bus_process");
        if (!done) check(sd_bus_wait(bus, UINT64_MAX), "sd_bus_wait");
    }
}

static void ask(sd_bus *bus, const char *request, double seconds) {
    static struct samples samples;
    uint64_t began = now(), warm = began + 100000000, end = warm + (uint64_t)(seconds * 1e9), at;
    while ((at = now()) < end) {
        sd_bus_message *reply = NULL;
        const char *text;
        check(sd_bus_call_method(bus, name, path, name, "Ask", NULL, &reply, "s", request), "sd_bus_call_method");
        check(sd_bus_message_read(reply, "s", &text), "sd_bus_message_read");
        sd_bus_message_unref(reply);
        if (at >= warm) samples_add(&samples, now() - at);
    }
    samples_print(&samples, (double)(now() - warm) / 1e9);
}

int main(int count, char **arguments) {
    sd_bus *bus = NULL;
    if (count != 3 && count != 4) errx(64, "usage: bus serve ANSWER | bus ask REQUEST SECONDS");
    check(sd_bus_open_user(&bus), "sd_bus_open_user");
    if (!strcmp(arguments[1], "serve") && count == 3) serve(bus, arguments[2]);
    else if (!strcmp(arguments[1], "ask") && count == 4) ask(bus, arguments[2], number(arguments[3], 0.01, 3600, "SECONDS"));
    else errx(64, "usage: bus serve ANSWER | bus ask REQUEST SECONDS");
    sd_bus_unref(bus);
    return 0;
}
