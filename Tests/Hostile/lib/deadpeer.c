// A peer whose program is on a file system that stops answering. Before that, the program loads all of its pages into memory.
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(int count, char **words) {
    char buffer[8192];
    if (count < 2 || mlockall(MCL_CURRENT) != 0) return 2;
    if (write(1, "ready\n", 6) != 6 || read(0, buffer, 1) != 1) return 3;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, words[1], sizeof address.sun_path - 1);
    int peer = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(peer, (struct sockaddr *)&address, sizeof address) != 0) return 4;
    static const char call[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"passd.whoami\"}\n";
    if (write(peer, call, sizeof call - 1) != sizeof call - 1) return 5;
    ssize_t length = read(peer, buffer, sizeof buffer);
    return length > 0 && write(1, buffer, (size_t)length) == length ? 0 : 6;
}
