// libqrencode for Swift. No program is linked to it: it is loaded when there is a first code to draw.
#pragma once

// Loads the library unless it is loaded. Returns what is wrong, or NULL. May be called from any thread.
const char *pass_qr_load(void);

// Encodes the text with a level of error correction from 0 to 3. Returns the number of modules along one side and the
// modules, row after row, whose lowest bit is set if they are dark; 0 if the text does not fit. The modules have to be
// given to pass_qr_free. May only be called after pass_qr_load has returned NULL.
int pass_qr_encode(const char *text, int level, unsigned char **modules);
void pass_qr_free(unsigned char *modules);
