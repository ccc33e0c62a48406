# Completion of passd for fish. Made from the program's tables.

# Whether the words before the cursor, without options and their values, are these and then this number of others.
function __passd_at --argument-names more
    set --local plain
    set --local value no
    for word in (commandline -opc)[2..-1]
        switch $word
            case --
                return 1
            case --config --instance --socket --state-dir --backend --protocol --log-level
                set value yes
            case '-*'
                set value no
            case '*'
                test $value = yes; or set --append plain $word
                set value no
        end
    end
    set --local wanted $argv[2..-1]
    set --local first (count $wanted)
    test "$more" = any; or test (count $plain) -eq (math $first + $more); or return 1
    test $first -eq 0; or test "$plain[1..$first]" = "$wanted"
end

complete --command passd --no-files
complete --command passd --long-option config --require-parameter --force-files --description 'read the configuration only from FILE, FILE.d/*.conf, and apps.d in the same directory'
complete --command passd --long-option instance --exclusive --description 'run as the instance NAME'
complete --command passd --long-option socket --require-parameter --force-files --description 'listen on PATH, and on admin.sock in the same directory'
complete --command passd --long-option state-dir --exclusive --arguments '(__fish_complete_directories)' --description 'keep logins in DIR'
complete --command passd --long-option backend --exclusive --description 'use the service at URL'
complete --command passd --long-option protocol --exclusive --arguments 'v2 v1' --description 'use this protocol with the service'
complete --command passd --long-option log-level --exclusive --arguments 'error warning notice info debug' --description 'write only records that are at least this urgent'
complete --command passd --long-option allow-same-user --description 'for development: let processes of the daemon\'s own user do everything'
complete --command passd --long-option check-config --description 'check the configuration, print its problems, and exit'
complete --command passd --long-option strict --description 'with --check-config: treat warnings as errors'
complete --command passd --long-option help --description 'print this help'
complete --command passd --long-option version --description 'print the version'
