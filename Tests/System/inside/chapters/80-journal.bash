chapter "The journal"

mark=$(now)
lumen authorize lumen-sports-1 > /tmp/token
decision() { records "$mark" PASSD_EVENT=AUTHORIZATION --output json; }
holds "a decision is recorded" await 5 some_of decision
for field in MESSAGE PRIORITY PASSD_APP PASSD_REQUESTOR PASSD_PROVIDER PASSD_PEER_UID PASSD_PEER_PID PASSD_METHOD \
    PASSD_REQUEST PASSD_RESOURCE_HASH PASSD_AUTHORIZED; do
    holds "with $field=" says "\"$field\"" decision
done
holds "it names the app's user" says "\"PASSD_PEER_UID\":\"$(id -u viewer)\"" decision
holds "but not the resource" not says "lumen-sports" decision
guest passd-cli --requestor LUMENTV check > /dev/null 2>&1
holds "a denial is recorded" await 5 some_of records "$mark" PASSD_EVENT=DENIED
holds "and explained, with the remedy" says "add or correct a stanza" records "$mark" PASSD_EVENT=DENIED --catalog

printf '[daemon]\nlog-level = debug\n' > /etc/passd/passd.conf.d/60-test.conf
systemctl reload passd.service
mark=$(now)
lumen authorize lumen-movies > /tmp/token2 2> /dev/null
joined() {
    number=$(records "$mark" PASSD_EVENT=AUTHORIZATION --output json | sed -n 's/.*"PASSD_REQUEST":"\([0-9]*\)".*/\1/p' | tail -n 1)
    records "$mark" "PASSD_REQUEST=$number" --output json | sed -n 's/.*"PASSD_EVENT":"\([A-Z_]*\)".*/\1/p' | sort -u | tr '\n' ' '
}
holds "the call, its request to the service and the decision have the same number" await 10 says "ANSWERED.*AUTHORIZATION.*BACKEND_ASKED.*REQUEST_SENT" joined
note "one call's records: $(joined)"
rm /etc/passd/passd.conf.d/60-test.conf
systemctl reload passd.service

mark=$(now)
asks_600_times() {
    guest python3 - << 'END'
import json, socket
app = socket.socket(socket.AF_UNIX)
app.settimeout(60)
app.connect("/run/passd/passd.sock")
lines = app.makefile("r", encoding="utf-8")
denied = 0
for number in range(600):
    call = {"jsonrpc": "2.0", "id": number, "method": "setRequestor", "params": {"requestorID": "LUMENTV"}}
    app.sendall(json.dumps(call).encode() + b"\n")
    denied += "error" in json.loads(lines.readline())
print(denied, "denied")
END
}
holds "an app that asks again and again is denied again and again" says "^600 denied" asks_600_times
denials() { records "$mark" PASSD_EVENT=DENIED --output cat | wc -l; }
many_denials() { [ "$(denials)" -gt 200 ]; }
holds "which is recorded" await 10 many_denials
note "$(denials) denials are recorded"
holds "but not every time" [ "$(denials)" -le 300 ]
restart
holds "the number of the others is recorded" await 10 says '"PASSD_COUNT":"[0-9]{3}"' records "$mark" PASSD_EVENT=LOG_SUPPRESSED --output json

everything() { journalctl --quiet --no-pager --output export; }
holds "the journal is not empty" some_of everything
holds "it has no messages of libraries that no operator can act on" ends 1 grep -qaiF "thread priority" <(everything)
holds "no secret is in it: codes" ends 1 grep -qaFf /tmp/codes <(everything)
holds "tokens" ends 1 grep -qaF -e "$(cut -c1-60 /tmp/token)" <(everything)
holds "passwords" ends 1 grep -qaF lovelace <(everything)
holds "software statements" ends 1 grep -qaF -e "$(cut -c1-60 /etc/passd/sandbox/lumen-tv.jwt)" <(everything)

chapter "Confinement"

exposure() { systemd-analyze security --no-pager passd.service | sed -n 's/.*exposure level for [^:]*: //p'; }
note "with the sandbox on this machine: $(exposure)"
holds "with the network open, the exposure is at most 1.5" systemd-analyze security --no-pager --threshold=15 passd.service
printf '[app guest-player]\nrequestors = LUMENTV\nsoftware-statement = file:/etc/passd/sandbox/lumen-tv.jwt\nallow = unit:guest-player.service\n' \
    > /etc/passd/apps.d/60-test.conf
systemctl reload passd.service
holds "an app named by its unit is recognized" says "igned in" systemd-run --quiet --wait --pipe --collect --unit guest-player \
    --uid guest passd-cli --requestor LUMENTV check
holds "and only in its unit" ends 77 guest passd-cli --requestor LUMENTV check
rm /etc/passd/apps.d/60-test.conf
systemctl reload passd.service
