chapter "Numbers for Prometheus"

collector=/var/lib/prometheus/node-exporter
mkdir -p $collector
mark=$(now)
up() { grep -q "^passd_up $1\$" $collector/passd.prom; }
holds "nothing is written unless it is enabled" is passd-metrics.timer UnitFileState disabled
holds "it is enabled" systemctl enable --now passd-metrics.timer
holds "the daemon's numbers are there within half a minute" await 40 up 1
holds "in memory, and everybody may read them" mode /run/passd-metrics/passd.prom "644 passd-metrics:passd-metrics"
holds "its user may ask for numbers" says '^passd_up 1$' runuser --user passd-metrics -- passd-cli metrics
holds "but not for reports for operators" ends 77 runuser --user passd-metrics -- passd-cli status
holds "and it may not sign viewers out" not runuser --user passd-metrics -- passd-cli --requestor LUMENTV logout
holds "others may not ask for numbers" ends 77 runuser --user guest -- passd-cli metrics
rm $collector/passd.prom && echo "passd_up 7" > $collector/passd.prom
touch --date=yesterday /run/passd-metrics/.passd.prom.abcdef && chown passd-metrics: /run/passd-metrics/.passd.prom.abcdef
holds "a file in the place of the link is no failure" systemctl start passd-metrics.service
holds "and is replaced by the link" up 1
holds "what a crash has left is removed" not test -e /run/passd-metrics/.passd.prom.abcdef
systemctl stop passd.socket passd-admin.socket passd.service
holds "that the daemon is down is no failure" systemctl start passd-metrics.service
holds "but it is reported" up 0
holds "without old numbers" none_of grep '^passd_calls_total' $collector/passd.prom
systemctl start passd.socket passd-admin.socket passd.service
holds "with the daemon running, numbers are written again" systemctl start passd-metrics.service
holds "and is up" up 1
holds "nothing is written to the journal" none_of journalctl --quiet --no-pager --since "$mark" _SYSTEMD_UNIT=passd-metrics.service
note "exposure: $(systemd-analyze security --no-pager passd-metrics.service | sed -n 's/.*exposure level for [^:]*: //p')"
holds "its exposure is at most 1.0" systemd-analyze security --no-pager --threshold=10 passd-metrics.service
holds "it is disabled again" systemctl disable --now passd-metrics.timer
