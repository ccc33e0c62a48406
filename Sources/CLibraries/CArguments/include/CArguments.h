#pragma once

// The command line's words, as the C library passes them to constructors, and a null pointer behind the last.
char *_Nullable *_Nullable pass_arguments(void);
