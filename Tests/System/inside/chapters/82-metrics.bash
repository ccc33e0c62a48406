chapter "Numbers for Prometheus"

collector=/var/lib/prometheus/node-exporter
mkdir -p $collector
mark=$(now)
up() { grep -q "^passd_up $1\$" $collector/passd.prom; }
holds "nothing is written until it is wanted" is passd-metrics.timer UnitFileState disabled
holds "it is wanted" systemctl enable --now passd-metrics.timer
holds "the daemon's numbers are there within half a minute" await 40 up 1
holds "in memory, and everybody may read them" mode /run/passd-metrics/passd.prom "644 passd-metrics:passd-metrics"
holds "nobody else may ask as this user" ends 77 runuser --user passd-metrics -- passd-cli metrics
systemctl stop passd.socket passd-admin.socket passd.service
holds "that the daemon is down is no failure" systemctl start passd-metrics.service
holds "but it is said" up 0
holds "and nothing old" none_of grep '^passd_calls_total' $collector/passd.prom
systemctl start passd.socket passd-admin.socket passd.service
holds "it is asked again" systemctl start passd-metrics.service
holds "and is up" up 1
holds "the journal is left alone" none_of journalctl --quiet --no-pager --since "$mark" _SYSTEMD_UNIT=passd-metrics.service
note "exposure: $(systemd-analyze security --no-pager passd-metrics.service | sed -n 's/.*exposure level for [^:]*: //p')"
holds "its exposure is at most 1.0" systemd-analyze security --no-pager --threshold=10 passd-metrics.service
holds "no more of it" systemctl disable --now passd-metrics.timer
