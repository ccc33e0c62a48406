# Completion of passd-setup for fish.

complete --command passd-setup --no-files
complete --command passd-setup --condition __fish_is_first_token --arguments sandbox --description 'use the pass-sandbox on this machine'
complete --command passd-setup --condition __fish_is_first_token --arguments service --description 'use the service at an address'
complete --command passd-setup --condition __fish_is_first_token --arguments none --description 'use no service'
complete --command passd-setup --condition __fish_is_first_token --arguments seal --description 'make a sealing key that only this machine can open'
complete --command passd-setup --condition __fish_is_first_token --arguments reset --description 'delete all logins and keys, for the next owner'
complete --command passd-setup --condition __fish_is_first_token --arguments status --description 'show what is set up'
complete --command passd-setup --condition __fish_is_first_token --long-option help --description 'print the help'
complete --command passd-setup --condition __fish_is_first_token --long-option version --description 'print the version'
complete --command passd-setup --condition '__fish_seen_subcommand_from sandbox' --arguments '(__fish_complete_users)'
complete --command passd-setup --condition '__fish_seen_subcommand_from service; and test (count (commandline -opc)) -eq 3' --arguments 'v2 v1'
complete --command passd-setup --condition '__fish_seen_subcommand_from seal' --long-option replace --description 'replace an older key'
complete --command passd-setup --condition '__fish_seen_subcommand_from seal' --long-option key-file --description 'accept what the key file has sealed'
complete --command passd-setup --condition '__fish_seen_subcommand_from reset' --long-option yes --description 'do not ask'
complete --command passd-setup --condition '__fish_seen_subcommand_from reset' --long-option journal --description 'delete the journal of the system, too'
