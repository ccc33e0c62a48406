#pragma once

// From now on, a crash of this program writes one record. The record has the signal, the build, and addresses relative to the
// program and its libraries, but no memory contents. After the record is written, the signal has its usual effect. `id` is the
// MESSAGE_ID of a record in the journal; without it, the record is a line on standard error.
void pass_report_crashes(const char *_Nonnull program, const char *_Nullable id);
