chapter "A daemon that is stuck: its disk hangs"

drop_in 90-test << 'END'
[Service]
WatchdogSec=3
Environment=LD_PRELOAD=/box/hold.so
END
restart
holds "with a disk that works it works" lumen authorize lumen-sports-1
process=$(property passd.service MainPID)
mark=$(now)
touch /run/hold
# Whatever is stored now does not come to an end, and so does not the call.
lumen login --no-qr --no-wait --provider NorthCable > /dev/null 2>&1 &
news logout > /dev/null 2>&1 &
holds "the journal names the part that is stuck" await 20 says "storage queue" records "$mark"
holds "before the service manager ends the daemon" await 20 says "[Ww]atchdog timeout" unit_records "$mark"
rm /run/hold
holds "and starts it again" await 30 another_process "$process"
holds "the catalogue tells what it was" says "Look for a full or broken disk" records "$mark" --catalog
holds "by the service manager" is passd.service NRestarts 1
holds "it answers" await 20 ends 0 passd-cli status
wait %% 2> /dev/null

chapter "A daemon that is stuck: as a whole"

signed_in || sign_in > /dev/null
mark=$(now)
process=$(property passd.service MainPID)
kill -STOP "$process"
holds "the watchdog ends it" await 30 says "[Ww]atchdog timeout" unit_records "$mark"
holds "and it is started again" await 60 another_process "$process"
holds "with the logins" await 20 signed_in
take_drop_in 90-test
restart
