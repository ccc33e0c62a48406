#pragma once

// The completion script of passd-cli for bash, zsh or fish.
const char *_Nonnull pass_completion(const char *_Nonnull shell);
