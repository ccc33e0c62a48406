#pragma once

// The build id of this program, in hexadecimal; null if the linker got none.
const char *_Nullable pass_build_id(void);

// The commit that this program was built from, with "-dirty" if the sources had further changes; null if it is unknown.
const char *_Nullable pass_build_commit(void);
