# Completion of passd-cli for fish. Made from the program's tables.

# Whether the words before the cursor, without options and their values, are these and then this number of others.
function __passd_cli_at --argument-names more
    set --local plain
    set --local value no
    for word in (commandline -opc)[2..-1]
        switch $word
            case --
                return 1
            case --socket --instance --requestor --timeout --provider --qr --resource --limit --record --uid --pid --unit --app-socket --origin --output --records
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

function __passd_cli_ask
    set --local where
    set --local option
    for word in (commandline -opc)[2..-1]
        switch $word
            case '--socket=*' '--instance=*' '--requestor=*'
                set --append where $word
                set option
            case --socket --instance --requestor
                set option $word
            case '*'
                test -n "$option"; and set --append where "$option=$word"
                set option
        end
    end
    command --query passd-cli; and passd-cli $where complete $argv[1] 2> /dev/null
end

complete --command passd-cli --no-files
complete --command passd-cli --long-option socket --require-parameter --force-files --description 'use this socket of the daemon, and admin.sock in the same directory'
complete --command passd-cli --long-option instance --exclusive --description 'use the daemon of the instance NAME on this host'
complete --command passd-cli --long-option requestor --exclusive --arguments '(__passd_cli_ask requestors)' --description 'act for this requestor'
complete --command passd-cli --long-option json --description 'print the answer as one JSON object'
complete --command passd-cli --long-option timeout --exclusive --description 'wait at most this long for each answer; default: 40'
complete --command passd-cli --long-option no-color --description 'print without colours, as with NO_COLOR'
complete --command passd-cli --long-option help --description 'print this help'
complete --command passd-cli --long-option version --description 'print the version'
complete --command passd-cli --condition '__passd_cli_at 0' --arguments 'login' --description 'sign the viewer in with a phone or computer'
complete --command passd-cli --condition '__passd_cli_at 0' --arguments 'logout' --description 'sign out'
complete --command passd-cli --condition '__passd_cli_at 0' --arguments 'providers' --description 'list the requestor\'s TV providers'
complete --command passd-cli --condition '__passd_cli_at 0' --arguments 'check' --description 'show whether the viewer is signed in'
complete --command passd-cli --condition '__passd_cli_at 0' --arguments 'authorize' --description 'get a media token for a resource'
complete --command passd-cli --condition '__passd_cli_at 0' --arguments 'preauthorize' --description 'show which resources would be permitted'
complete --command passd-cli --condition '__passd_cli_at 0' --arguments 'metadata' --description 'print one value about the viewer, the login or the device'
complete --command passd-cli --condition '__passd_cli_at 0' --arguments 'profiles' --description 'list the requestor\'s logins on this device'
complete --command passd-cli --condition '__passd_cli_at 0' --arguments 'watch' --description 'print what happens, until Ctrl-C'
complete --command passd-cli --condition '__passd_cli_at 0' --arguments 'status' --description 'show the state of the daemon'
complete --command passd-cli --condition '__passd_cli_at 0' --arguments 'why' --description 'explain why something was not permitted, and what to do'
complete --command passd-cli --condition '__passd_cli_at 0' --arguments 'sessions' --description 'list the connected apps'
complete --command passd-cli --condition '__passd_cli_at 0' --arguments 'tokens' --description 'list the stored logins, without secrets'
complete --command passd-cli --condition '__passd_cli_at 0' --arguments 'forget' --description 'remove logins from this device, but not from the service'
complete --command passd-cli --condition '__passd_cli_at 0' --arguments 'doctor' --description 'run checks and explain how to fix failures'
complete --command passd-cli --condition '__passd_cli_at 0' --arguments 'config' --description 'show the configuration in force, and where each value comes from'
complete --command passd-cli --condition '__passd_cli_at 0' --arguments 'policy' --description 'show whether policy allows a process to make a call, and by which rule'
complete --command passd-cli --condition '__passd_cli_at 0' --arguments 'metrics' --description 'print the daemon\'s metrics'
complete --command passd-cli --condition '__passd_cli_at 0' --arguments 'reload' --description 'reload the configuration'
complete --command passd-cli --condition '__passd_cli_at 0' --arguments 'bugreport' --description 'collect information for support in one file, without secrets'
complete --command passd-cli --condition '__passd_cli_at 0' --arguments 'export' --description 'write all logins to a sealed file that only this device can open'
complete --command passd-cli --condition '__passd_cli_at 0' --arguments 'import' --description 'replace all logins with the logins in a file that export has written'
complete --command passd-cli --condition '__passd_cli_at 0' --arguments 'call' --description 'call a method and print its result as JSON'
complete --command passd-cli --condition '__passd_cli_at 0' --arguments 'describe' --description 'list the methods, callbacks and events, or explain one of them'
complete --command passd-cli --condition '__passd_cli_at 0' --arguments 'completion' --description 'print a completion script for a shell'
complete --command passd-cli --condition '__passd_cli_at 0' --arguments 'complete' --description 'list names that the daemon remembers, for completion scripts'
complete --command passd-cli --condition '__passd_cli_at 0' --arguments 'help' --description 'explain a verb'
complete --command passd-cli --condition '__passd_cli_at 0 config' --arguments 'show' --description 'show the configuration in force, and where each value comes from'
complete --command passd-cli --condition '__passd_cli_at 0 policy' --arguments 'explain' --description 'show whether policy allows a process to make a call, and by which rule'
complete --command passd-cli --condition '__passd_cli_at any login' --long-option provider --exclusive --arguments '(__passd_cli_ask providers)' --description 'the TV provider'
complete --command passd-cli --condition '__passd_cli_at any login' --long-option qr --exclusive --arguments 'auto light dark color' --description 'draw the QR code in this style, even if the output is a pipe or a file'
complete --command passd-cli --condition '__passd_cli_at any login' --long-option no-qr --description 'print no QR code'
complete --command passd-cli --condition '__passd_cli_at any login' --long-option no-wait --description 'print code and addresses, then exit'
complete --command passd-cli --condition '__passd_cli_at any logout' --long-option all --description 'remove the logins of every requestor and provider'
complete --command passd-cli --condition '__passd_cli_at any providers' --long-option temp-pass --description 'also list temporary passes'
complete --command passd-cli --condition '__passd_cli_at any authorize' --long-option login --description 'sign in first if nobody is signed in'
complete --command passd-cli --condition '__passd_cli_at any authorize' --long-option provider --exclusive --arguments '(__passd_cli_ask providers)' --description 'the TV provider'
complete --command passd-cli --condition '__passd_cli_at 0 authorize' --arguments '(__passd_cli_ask resources)' --description 'RESOURCE'
complete --command passd-cli --condition '__passd_cli_at any preauthorize' --arguments '(__passd_cli_ask resources)' --description 'RESOURCE'
complete --command passd-cli --condition '__passd_cli_at any metadata' --long-option resource --exclusive --arguments '(__passd_cli_ask resources)' --description 'the resource for the key authorization'
complete --command passd-cli --condition '__passd_cli_at 0 metadata' --arguments 'authentication authorization device-id' --description 'KEY'
complete --command passd-cli --condition '__passd_cli_at any why' --long-option limit --exclusive --description 'show at most this many decisions; default: 10'
complete --command passd-cli --condition '__passd_cli_at 0 why' --arguments '(__passd_cli_ask resources)' --description 'RESOURCE|APP|REQUESTOR'
complete --command passd-cli --condition '__passd_cli_at any forget' --long-option provider --exclusive --arguments '(__passd_cli_ask providers)' --description 'the TV provider'
complete --command passd-cli --condition '__passd_cli_at any forget' --long-option all --description 'remove the logins of every requestor and provider'
complete --command passd-cli --condition '__passd_cli_at any doctor' --long-option offline --description 'do not ask the service'
complete --command passd-cli --condition '__passd_cli_at any doctor' --long-option record --require-parameter --force-files --description 'record the exchanges with the service during a login, without secrets'
complete --command passd-cli --condition '__passd_cli_at any config show' --long-option changed --description 'show only settings that differ from the default'
complete --command passd-cli --condition '__passd_cli_at any policy explain' --long-option uid --exclusive --description 'the user of the process; default: your user'
complete --command passd-cli --condition '__passd_cli_at any policy explain' --long-option pid --exclusive --description 'take user and unit from this running process'
complete --command passd-cli --condition '__passd_cli_at any policy explain' --long-option unit --exclusive --description 'the systemd unit of the process'
complete --command passd-cli --condition '__passd_cli_at any policy explain' --long-option app-socket --exclusive --description 'the NAME of the rule socket:NAME, for an app in a container'
complete --command passd-cli --condition '__passd_cli_at any policy explain' --long-option origin --exclusive --description 'the origin of a web app, such as https://news24.example'
complete --command passd-cli --condition '__passd_cli_at 0 policy explain' --arguments 'passd.hello passd.whoami passd.subscribe passd.unsubscribe passd.suggestions rpc.discover setOptions setRequestor checkAuthentication getAuthentication setSelectedProvider getSelectedProvider handleExternalURL checkAuthorization getAuthorization checkPreauthorizedResources preauthorize getMetadata logout listProviders listProfiles passd.household passd.signOut passd.status passd.sessions passd.tokens passd.forget passd.logoutAll passd.reload passd.metrics passd.policyExplain passd.doctor passd.record passd.decisions passd.configuration passd.export passd.import' --description 'METHOD'
complete --command passd-cli --condition '__passd_cli_at any metrics' --long-option output --require-parameter --force-files --description 'write the metrics to this file, and replace its old contents'
complete --command passd-cli --condition '__passd_cli_at any bugreport' --long-option output --require-parameter --force-files --description 'write to FILE; - is standard output; default: passd-bugreport-DATE.txt'
complete --command passd-cli --condition '__passd_cli_at any bugreport' --long-option records --exclusive --description 'include this many records of the journal; default: 500'
complete --command passd-cli --condition '__passd_cli_at any bugreport' --long-option offline --description 'do not ask the service'
complete --command passd-cli --condition '__passd_cli_at 0 export' --force-files
complete --command passd-cli --condition '__passd_cli_at any import' --long-option yes --description 'do not ask for confirmation'
complete --command passd-cli --condition '__passd_cli_at 0 import' --force-files
complete --command passd-cli --condition '__passd_cli_at 0 call' --arguments 'passd.hello passd.whoami passd.subscribe passd.unsubscribe passd.suggestions rpc.discover setOptions setRequestor checkAuthentication getAuthentication setSelectedProvider getSelectedProvider handleExternalURL checkAuthorization getAuthorization checkPreauthorizedResources preauthorize getMetadata logout listProviders listProfiles passd.household passd.signOut passd.status passd.sessions passd.tokens passd.forget passd.logoutAll passd.reload passd.metrics passd.policyExplain passd.doctor passd.record passd.decisions passd.configuration passd.export passd.import' --description 'METHOD'
complete --command passd-cli --condition '__passd_cli_at 0 describe' --arguments 'passd.hello passd.whoami passd.subscribe passd.unsubscribe passd.suggestions rpc.discover setOptions setRequestor checkAuthentication getAuthentication setSelectedProvider getSelectedProvider handleExternalURL checkAuthorization getAuthorization checkPreauthorizedResources preauthorize getMetadata logout listProviders listProfiles passd.household passd.signOut passd.status passd.sessions passd.tokens passd.forget passd.logoutAll passd.reload passd.metrics passd.policyExplain passd.doctor passd.record passd.decisions passd.configuration passd.export passd.import setRequestorComplete setAuthenticationStatus displayProviderDialog navigateToUrl status setToken tokenRequestFailed selectedProvider preauthorizedResources setMetadataStatus sendTrackingData presentTvProviderDialog dismissTvProviderDialog event session.opened session.closed requestor requestor.failed login.opened login.closed authentication authorization hint denied configuration readiness warning overrun PARSE_ERROR INVALID_REQUEST METHOD_NOT_FOUND INVALID_PARAMS INTERNAL_ERROR DENIED LIMIT NOT_READY REQUESTOR_NOT_SET FLOW_CONFLICT 500 AAPL AAPL_ERROR CFG100 CFG400 CFG404 CFG429 CFG5xx N000 N001 N003 N004 N005 N010 N011 N111 N130 N500 P100 R400 R401 REG500 REGCODE SEC403 SEC412 SEC420 VSA203 VSA403 VSA404 VSA503 Z010 Z011 Z100 Z110 Z120 Z130 Z169 Z500 Identity ErrorCode QR DisplayCode MVPD EnhancedError Decision Profile Warning Error' --description 'NAME'
complete --command passd-cli --condition '__passd_cli_at 0 completion' --arguments 'bash zsh fish' --description 'bash|zsh|fish'
complete --command passd-cli --condition '__passd_cli_at 0 complete' --arguments 'requestors providers resources' --description 'requestors|providers|resources'
complete --command passd-cli --condition '__passd_cli_at 0 help' --arguments 'login logout providers check authorize preauthorize metadata profiles watch status why sessions tokens forget doctor config policy metrics reload bugreport export import call describe completion complete' --description 'VERB'
