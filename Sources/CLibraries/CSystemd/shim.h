// libsystemd's messages to the service manager and to the journal.
#pragma once
#include <systemd/sd-daemon.h>
#include <systemd/sd-id128.h>
#include <systemd/sd-journal.h>
