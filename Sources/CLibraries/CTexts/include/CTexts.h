#pragma once

// The tables of texts in reasons.txt and statuses.txt. An entry has three lines. Empty lines and lines that begin with # are
// not part of an entry.
const char *_Nonnull pass_reasons(void);
const char *_Nonnull pass_statuses(void);
