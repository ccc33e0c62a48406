chapter "Apps in containers"

cat > /etc/passd/apps.d/90-containers.conf << 'CONF'
[app first]
requestors = LUMENTV
allow = socket:first
[app second]
requestors = NEWS24
allow = socket:second
CONF
contain() { # NAME COMMAND…: a unit of guest with this app's socket only
    systemd-run --quiet --pipe --wait --collect --property=User=guest --property=TemporaryFileSystem=/run \
        --property="BindReadOnlyPaths=/run/passd-apps/$1:/run/passd" "${@:2}"
}
whoami_of() { contain "$1" passd-cli call passd.whoami; }
socket_of() { stat -c %i "/run/passd-apps/$1/passd.sock"; }

holds "a reload makes the sockets" systemctl reload passd.service
holds "their directory is open to root and passd only" mode /run/passd-apps "700 passd:passd"
holds "each has its own directory" mode /run/passd-apps/first "711 passd:passd"
holds "and is open to every program that sees it" mode /run/passd-apps/first/passd.sock "666 passd:passd"
holds "no other user reaches it" not runuser --user guest -- stat /run/passd-apps/first/passd.sock
holds "the first container is the first app" says '"app": ?"first"' whoami_of first
holds "the second is the second, with the same user" says '"app": ?"second"' whoami_of second
holds "an operator's socket is not in it" ends 69 contain first passd-cli status
holds "a container without a socket reaches nothing" ends 69 systemd-run --quiet --pipe --wait --collect --property=User=guest \
    --property=TemporaryFileSystem=/run passd-cli call passd.whoami
before=$(socket_of first)
restart
holds "a restart keeps the socket" [ "$(socket_of first)" = "$before" ]
holds "and its app" says '"app": ?"first"' whoami_of first
process=$(property passd.service MainPID)
kill -KILL "$process"
holds "after a crash, systemd starts the daemon again" await 20 another_process "$process"
holds "with the same socket" [ "$(socket_of first)" = "$before" ]
holds "and the same app" await 20 says '"app": ?"first"' whoami_of first
directory=$(stat -c %i /run/passd-apps/first)
systemctl stop passd.service
holds "a stop keeps the directory" [ "$(stat -c %i /run/passd-apps/first)" = "$directory" ]
systemctl start passd.service
holds "a start makes the socket in it" says '"app": ?"first"' whoami_of first
systemd-run --quiet --unit contained --property=User=guest --property=PrivateMounts=yes sleep 600
holds "policy explain says that a process is in another mount namespace" await 10 says "another mount namespace" \
    passd-cli --requestor LUMENTV policy explain getAuthorization --pid "$(property contained.service MainPID)"
systemctl stop contained.service
sed -i 's/socket:second/socket:second+user:guest/' /etc/passd/apps.d/90-containers.conf
systemctl reload passd.service
holds "for a user who starts containers, the directory is open" mode /run/passd-apps "711 passd:passd"
holds "and the other rule gets a warning" says "every program of this box can be this app" passd --check-config
rm /etc/passd/apps.d/90-containers.conf
holds "a reload removes the sockets" systemctl reload passd.service
holds "and no directory" not stat /run/passd-apps/first/passd.sock
holds "which a container may have mounted" [ "$(stat -c %i /run/passd-apps/first)" = "$directory" ]
