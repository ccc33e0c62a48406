// libqrencode for Swift. No program is linked to the library, because it is loaded for the first QR code.
#pragma once

// Loads the library if it is not loaded yet. Returns the reason if that fails, else NULL. May be called from any thread.
const char *pass_qr_load(void);

// Encodes the text with a level of error correction from 0 to 3. Returns the number of modules (squares) along one side; 0 if
// the text does not fit. `modules` gets one byte for each module, row after row. The lowest bit is set in dark modules. Pass
// the modules to pass_qr_free. Call this only after pass_qr_load has returned NULL.
int pass_qr_encode(const char *text, int level, unsigned char **modules);
void pass_qr_free(unsigned char *modules);
