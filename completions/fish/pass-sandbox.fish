# Completion of pass-sandbox for fish. Made from the program's tables.

# Whether the words before the cursor, without options and their values, are these and then this number of others.
function __pass_sandbox_at --argument-names more
    set --local plain
    set --local value no
    for word in (commandline -opc)[2..-1]
        switch $word
            case --
                return 1
            case --listen --catalog --state --seed --public-url --tls-cert --tls-key --request-time --directory --protocol --passd --web --web-port --server --tls-ca --provider --user --password --resource
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

complete --command pass-sandbox --no-files
complete --command pass-sandbox --long-option help --description 'print this help'
complete --command pass-sandbox --long-option version --description 'print the version'
complete --command pass-sandbox --condition '__pass_sandbox_at 0' --arguments 'serve' --description 'run the service, its pages and its controls'
complete --command pass-sandbox --condition '__pass_sandbox_at 0' --arguments 'box' --description 'run the service and a private daemon with the catalogue\'s apps'
complete --command pass-sandbox --condition '__pass_sandbox_at 0' --arguments 'statement' --description 'print a software statement for an app of the catalogue'
complete --command pass-sandbox --condition '__pass_sandbox_at 0' --arguments 'service-token' --description 'print a service token for a subscriber'
complete --command pass-sandbox --condition '__pass_sandbox_at 0' --arguments 'log-in' --description 'log in as the viewer would: type the code, choose the provider, send the password'
complete --command pass-sandbox --condition '__pass_sandbox_at 0' --arguments 'verify' --description 'check a media token, and use it up'
complete --command pass-sandbox --condition '__pass_sandbox_at 0' --arguments 'help' --description 'explain a verb'
complete --command pass-sandbox --condition '__pass_sandbox_at any serve' --long-option listen --exclusive --description 'address and port; default: 127.0.0.1:8642; port 0: any free port'
complete --command pass-sandbox --condition '__pass_sandbox_at any serve' --long-option catalog --require-parameter --force-files --description 'the catalogue; default: Config/sandbox/catalog.json or the installed one'
complete --command pass-sandbox --condition '__pass_sandbox_at any serve' --long-option state --require-parameter --force-files --description 'keep registrations, sessions, logins and keys in this file'
complete --command pass-sandbox --condition '__pass_sandbox_at any serve' --long-option seed --exclusive --description 'generate the same codes, ids and keys at every fresh start'
complete --command pass-sandbox --condition '__pass_sandbox_at any serve' --long-option no-throttle --description 'allow any number of requests, wrong codes and wrong passwords'
complete --command pass-sandbox --condition '__pass_sandbox_at any serve' --long-option public-url --exclusive --description 'this server\'s address as viewers and clients see it'
complete --command pass-sandbox --condition '__pass_sandbox_at any serve' --long-option foreign --description 'behave like a service whose pages have another host, port and paths than its API'
complete --command pass-sandbox --condition '__pass_sandbox_at any serve' --long-option tls-cert --require-parameter --force-files --description 'serve HTTPS with this certificate chain (PEM)'
complete --command pass-sandbox --condition '__pass_sandbox_at any serve' --long-option tls-key --require-parameter --force-files --description 'the certificate\'s private key (PEM)'
complete --command pass-sandbox --condition '__pass_sandbox_at any serve' --long-option request-time --exclusive --description 'how long one request may take to arrive; default: 20s'
complete --command pass-sandbox --condition '__pass_sandbox_at any box' --long-option listen --exclusive --description 'address and port; default: 127.0.0.1:8642; port 0: any free port'
complete --command pass-sandbox --condition '__pass_sandbox_at any box' --long-option directory --exclusive --arguments '(__fish_complete_directories)' --description 'keep the box in this directory; default: a temporary one, which is deleted at the end'
complete --command pass-sandbox --condition '__pass_sandbox_at any box' --long-option protocol --exclusive --arguments 'v2 v1' --description 'let the daemon use this interface of the service; default: v2'
complete --command pass-sandbox --condition '__pass_sandbox_at any box' --long-option foreign --description 'behave like a service whose pages have another host, port and paths than its API'
complete --command pass-sandbox --condition '__pass_sandbox_at any box' --long-option public-url --exclusive --description 'this server\'s address as viewers and clients see it'
complete --command pass-sandbox --condition '__pass_sandbox_at any box' --long-option catalog --require-parameter --force-files --description 'the catalogue; default: Config/sandbox/catalog.json or the installed one'
complete --command pass-sandbox --condition '__pass_sandbox_at any box' --long-option seed --exclusive --description 'generate the same codes, ids and keys at every fresh start'
complete --command pass-sandbox --condition '__pass_sandbox_at any box' --long-option no-throttle --description 'allow any number of requests, wrong codes and wrong passwords'
complete --command pass-sandbox --condition '__pass_sandbox_at any box' --long-option passd --require-parameter --force-files --description 'the daemon\'s program; default: the first passd beside this program, on the PATH, or in the directories of packages'
complete --command pass-sandbox --condition '__pass_sandbox_at any box' --long-option web --exclusive --description 'accept web apps of these origins (ORIGIN or APP=ORIGIN), separated by commas'
complete --command pass-sandbox --condition '__pass_sandbox_at any box' --long-option web-port --exclusive --description 'the port of the gateway; default: 8643; 0: any free port'
complete --command pass-sandbox --condition '__pass_sandbox_at any statement' --long-option server --exclusive --description 'the running sandbox; default: the variable SANDBOX, else http://127.0.0.1:8642'
complete --command pass-sandbox --condition '__pass_sandbox_at any statement' --long-option tls-ca --require-parameter --force-files --description 'trust the certificates in this file (PEM), for a server with --tls-cert'
complete --command pass-sandbox --condition '__pass_sandbox_at any statement' --long-option catalog --require-parameter --force-files --description 'the catalogue; default: Config/sandbox/catalog.json or the installed one'
complete --command pass-sandbox --condition '__pass_sandbox_at any statement' --long-option state --require-parameter --force-files --description 'keep registrations, sessions, logins and keys in this file'
complete --command pass-sandbox --condition '__pass_sandbox_at any statement' --long-option seed --exclusive --description 'generate the same codes, ids and keys at every fresh start'
complete --command pass-sandbox --condition '__pass_sandbox_at any service-token' --long-option server --exclusive --description 'the running sandbox; default: the variable SANDBOX, else http://127.0.0.1:8642'
complete --command pass-sandbox --condition '__pass_sandbox_at any service-token' --long-option tls-ca --require-parameter --force-files --description 'trust the certificates in this file (PEM), for a server with --tls-cert'
complete --command pass-sandbox --condition '__pass_sandbox_at any service-token' --long-option catalog --require-parameter --force-files --description 'the catalogue; default: Config/sandbox/catalog.json or the installed one'
complete --command pass-sandbox --condition '__pass_sandbox_at any service-token' --long-option state --require-parameter --force-files --description 'keep registrations, sessions, logins and keys in this file'
complete --command pass-sandbox --condition '__pass_sandbox_at any service-token' --long-option seed --exclusive --description 'generate the same codes, ids and keys at every fresh start'
complete --command pass-sandbox --condition '__pass_sandbox_at any log-in' --long-option provider --exclusive --description 'the TV provider, if none was chosen on the TV'
complete --command pass-sandbox --condition '__pass_sandbox_at any log-in' --long-option user --exclusive --description 'the subscriber\'s name'
complete --command pass-sandbox --condition '__pass_sandbox_at any log-in' --long-option password --exclusive --description 'the subscriber\'s password; if PW is -, it is read from standard input'
complete --command pass-sandbox --condition '__pass_sandbox_at any log-in' --long-option server --exclusive --description 'the running sandbox; default: the variable SANDBOX, else http://127.0.0.1:8642'
complete --command pass-sandbox --condition '__pass_sandbox_at any log-in' --long-option tls-ca --require-parameter --force-files --description 'trust the certificates in this file (PEM), for a server with --tls-cert'
complete --command pass-sandbox --condition '__pass_sandbox_at any verify' --long-option resource --exclusive --description 'the resource that the token must be for'
complete --command pass-sandbox --condition '__pass_sandbox_at any verify' --long-option server --exclusive --description 'the running sandbox; default: the variable SANDBOX, else http://127.0.0.1:8642'
complete --command pass-sandbox --condition '__pass_sandbox_at any verify' --long-option tls-ca --require-parameter --force-files --description 'trust the certificates in this file (PEM), for a server with --tls-cert'
complete --command pass-sandbox --condition '__pass_sandbox_at 0 help' --arguments 'serve box statement service-token log-in verify' --description 'VERB'
