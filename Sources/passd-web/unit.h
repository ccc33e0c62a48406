// The systemd unit of a control group, of which the kernel tells the number. docs/decisions/0021.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { max_unit_name = 256 };

// Finds the unit in the system's manager that has started what is in this control group, as passd does for programs. False if there
// is none, if it cannot be seen, or if there are too many groups to look at.
bool unit_of_group(uint64_t group, char name[max_unit_name]);
