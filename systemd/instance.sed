# Makes the template of an instance, passd@NAME, of a unit of the box's own daemon: what is called passd there is called
# passd@NAME here, and accounts passd-NAME. The Makefile and scripts/check-units use it.

/^#/d
/^Description=/s/$/, instance %i/
s,passd\.service,passd@%i.service,g
s,passd\(-admin\)\?\.socket,passd\1@%i.socket,g
s,passd-sealing-key\.service,passd-sealing-key@%i.service,g
s,/etc/passd/,/etc/passd@%i/,g
s,/run/passd/,/run/passd@%i/,g
s,/run/passd-key-file,/run/passd-key-file@%i,
s,\(credstore\.encrypted/\|\$\$at/\)passd\.sealing-key,\1passd@%i.sealing-key,g
s,^StateDirectory=passd$,StateDirectory=passd@%i,
s,^\(User\|Group\|SocketGroup\)=passd$,\1=passd-%i,
s,^ExecStart=.*/passd$,& --instance %i,
s,^ExecReload=.*/passd-cli,& --instance %i,

# An instance is made by passd-setup, which also makes its accounts.
/^Documentation=/a\
AssertPathExists=/etc/passd@%i/passd.conf

# Only members of a group of the instance's own can open its socket for apps.
s,^SocketMode=0666$,SocketUser=root\
SocketGroup=passdapp-%i\
SocketMode=0660,
