// The completion scripts of passd-cli. They are the files that `make generate` makes and `make install` installs.

#include "CCompletion.h"

#include <string.h>

#pragma clang diagnostic ignored "-Wc23-extensions"

static const char bash[] = {
#embed "../../../completions/bash/passd-cli"
    , 0};

static const char zsh[] = {
#embed "../../../completions/zsh/_passd-cli"
    , 0};

static const char fish[] = {
#embed "../../../completions/fish/passd-cli.fish"
    , 0};

const char *pass_completion(const char *shell) {
    return strcmp(shell, "bash") == 0 ? bash : strcmp(shell, "zsh") == 0 ? zsh : fish;
}
