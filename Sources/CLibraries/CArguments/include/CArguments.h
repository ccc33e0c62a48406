#pragma once

// The words of the command line, as the C library passes them to constructors. A null pointer follows the last word.
char *_Nullable *_Nullable pass_arguments(void);
