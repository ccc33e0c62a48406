// The systemd unit of a control group. The kernel reports only the group's number. docs/decisions/0021.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { max_unit_name = 256 };

// Finds the unit of the system's manager for this control group, as passd does for programs. Returns false if there is no unit,
// if its directory is not visible, or if there are too many groups.
bool unit_of_group(uint64_t group, char name[max_unit_name]);
