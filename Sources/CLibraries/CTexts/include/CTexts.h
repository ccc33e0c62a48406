#pragma once

// The tables of texts in reasons.txt and statuses.txt. An entry has three lines. Empty lines and lines that begin with # are
// not part of an entry.
const char *_Nonnull pass_reasons(void);
const char *_Nonnull pass_statuses(void);

// The sentence for viewers with this name, in the language of this tag, such as de-AT, or else in English. Empty if there is
// none.
const char *_Nonnull pass_sentence(const char *_Nonnull name, const char *_Nonnull language);
