# Makes the template of an instance, passd@NAME, from a unit of the box's own daemon. Names with passd become passd@NAME, and
# accounts become passd-NAME. The Makefile and scripts/check-units use this file.

/^#/d
/^Description=/s/$/, instance %i/
s,passd\.service,passd@%i.service,g
s,passd\(-admin\)\?\.socket,passd\1@%i.socket,g
s,passd-sealing-key\.service,passd-sealing-key@%i.service,g
s,/etc/passd/,/etc/passd@%i/,g
s,/run/passd/,/run/passd@%i/,g
s,/run/passd-\(key-file\|sealing-key\),&@%i,g
s,/passd\.sealing-key,/passd@%i.sealing-key,g
s,^StateDirectory=passd$,StateDirectory=passd@%i,
s,^RuntimeDirectory=passd-apps$,&@%i,
s,^\(User\|Group\|SocketGroup\)=passd$,\1=passd-%i,
s,^ExecStart=.*/passd$,& --instance %i,
s,^Exec\(Start\|Reload\)=.*/passd-cli,& --instance %i,

# passd-setup makes an instance, and also its accounts.
/^Documentation=/a\
AssertPathExists=/etc/passd@%i/passd.conf

# The metrics of an instance have a file of their own. Only members of the instance's app group can request them. Random
# delays keep many instances from sending their requests all at once.
s,/run/passd-metrics/passd\.prom,/run/passd-metrics@%i/passd@%i.prom,g
s,\$\$COLLECTOR/passd\.prom,$$COLLECTOR/passd@%i.prom,
s,^RuntimeDirectory=passd-metrics$,&@%i,
/^Group=passd-metrics$/a\
SupplementaryGroups=passdapp-%i
/^AccuracySec=/a\
RandomizedDelaySec=25s\
FixedRandomDelay=yes

# Only members of the instance's own app group can open its socket for apps.
s,^SocketMode=0666$,SocketUser=root\
SocketGroup=passdapp-%i\
SocketMode=0660,
