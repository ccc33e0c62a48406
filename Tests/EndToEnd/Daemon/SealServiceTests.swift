// Tests each state in which a power cut or a full disk can leave `passd-setup seal`, also without what the disk has not written
// yet. Programs of the test take the place of systemd and passd.

import Glibc
import PassTestTools
import Testing

@Suite("passd-setup(8): a seal that is cut", .enabled(if: geteuid() == 0, "only root can mount file systems"))
struct SealServiceTests {
    /// The power can fail before each of these.
    private static let commands = ["mktemp", "mv", "rm", "sync", "systemd-creds", "systemctl"]

    /// The contents of /etc/passd at a boot after the power cut: all that was written, or only what was synced.
    enum Disk: String, CaseIterable, Sendable { case whole, synced }

    @Test(arguments: Disk.allCases) func `after a power cut before any command, the next seal ends the work`(
        disk: Disk
    ) throws {
        var cuts: [String] = []
        for number in 1...40 {
            let ending = try run("cut \(number) \(disk)")
            let words = ending.output.split(separator: "\n").map(String.init)
            #expect(ending.status == 0, "before \(words): \(ending)")
            if words.first == "no cut" { break }
            cuts += words
        }
        #expect(Set(cuts.map { $0.split(separator: " ").first.map(String.init) ?? "" }) == Set(Self.commands))
        #expect(cuts.count > 12 && cuts.count < 40)
    }

    @Test func `with a full state directory, the login stays until a later seal ends the work`() throws {
        let ending = try run("full")
        #expect(ending.status == 0, "\(ending)")
        #expect(ending.errors.contains("passd cannot write it"))
    }

    @Test func `without room for the key, nothing changes`() throws {
        let ending = try run("roomless")
        #expect(ending.status == 0, "\(ending)")
        #expect(ending.errors.contains("the key could not be made"))
    }

    private func run(_ play: String) throws -> ChildProcess.Ending {
        let folder = TemporaryDirectory()
        let model = """
            # The disk: `names` are the synced names in /etc/passd, and `contents` has the synced contents by inode.
            keep() { cp "$1" "$F/contents/$(stat -c %i "$1")"; }
            keep_all() { for each in /etc/passd/*; do [ ! -f $each ] || keep $each; done; names; }
            names() { for each in /etc/passd/*; do [ ! -f "$each" ] || stat -c '%i %n' "$each"; done > "$F/names"; }
            key=/etc/passd/sealing-key.cred
            # passd and passd-sealing-key.service. The store is sealed with the key file ("file"), or with a key.
            start() {
                mkdir -p /run/credentials/passd.service
                given=none
                [ "$(cat $key 2> /dev/null | wc -c)" -ne 32 ] || given=$(cat $key)
                printf %s "$given" > /run/credentials/passd.service/passd.sealing-key
                store=$(cat /var/lib/passd/store)
                if [ "$given" != none ] && [ "$store" = file ]; then
                    if [ ! -e $key.pending ] && [ ! -e /run/passd-key-file ]; then echo lost > /var/lib/passd/store && return; fi
                    [ ! -e "$F/full" ] || return 0
                    cmp -s $key "$F/contents/$(stat -c %i $key)" && grep -q " $key\\$" "$F/names" || echo unsafe > "$F/unsafe"
                    printf %s "$given" > /var/lib/passd/store
                elif [ "$store" != file ] && [ "$given" != "$store" ]; then echo lost > /var/lib/passd/store; fi
            }
            """
        folder.write(model, to: "model")
        let programs = [
            "sync": """
            . $F/model
            [ $# -gt 0 ] || keep_all
            [ ! -e $F/broken ] || exit 1
            for each in "$@"; do if [ -d $each ]; then names; else keep $each; fi; done
            """,
            "systemctl": ". $F/model; case $* in restart*) start ;; esac",
            // Encrypts nothing, but its output has printable characters.
            "systemd-creds":
                "if [ $1 = decrypt ]; then [ $(wc -c < $3) -eq 32 ]; else od -An -tx1 -N16 | tr -d ' \\n'; fi",
            "mktemp": "exec /usr/bin/mktemp \"$@\"", "mv": "exec /usr/bin/mv \"$@\"", "rm": "exec /usr/bin/rm \"$@\"",
        ]
        let count = """
            #!/bin/sh
            F=\(folder.path)
            echo "${0##*/} $*" >> $F/calls
            [ "$(wc -l < $F/calls)" -ne "$(cat $F/at)" ] || kill -KILL 0

            """
        for (name, text) in programs { folder.write(count + text + "\n", to: name) }
        folder.write("#!/bin/sh\n[ -e \(folder.path)/full ] || echo pass store: saved\n", to: "passd-cli")
        folder.write("#!/bin/sh\nexit 1\n", to: "systemd-detect-virt")
        folder.write("#!/bin/sh\n", to: "sleep")
        for name in programs.keys + ["passd-cli", "systemd-detect-virt", "sleep"] {
            folder.setMode(of: name, to: 0o755)
        }
        let script = """
            set -e
            export F=\(folder.path)
            for each in run etc var; do mount -t tmpfs none /$each; done
            mkdir -p /run/systemd/system /etc/passd /var/lib/passd $F/contents
            echo file > /var/lib/passd/store
            . $F/model
            names
            start
            seal() { # before which command it is cut, and an option
                echo $1 > $F/at
                : > $F/calls
                PATH=$F:$PATH setsid --wait systemd/passd-setup seal $2 > /dev/null
            }
            boot() {
                /usr/bin/rm -rf /run/passd-key-file /run/credentials
                start
            }
            is_safe() { [ "$(cat /var/lib/passd/store)" != lost ] && [ ! -e $F/unsafe ]; }
            is_sealed() {
                is_safe && [ "$(cat /var/lib/passd/store)" = "$(cat $key)" ] && [ "$(ls -A /etc/passd)" = sealing-key.cred ] &&
                    [ ! -e /run/passd-key-file ]
            }
            cut() { # NUMBER DISK
                if seal $1; then echo "no cut" && is_sealed && return; fi
                tail -n 1 $F/calls
                if [ $2 = synced ]; then
                    /usr/bin/rm -f /etc/passd/*
                    while read -r inode name; do
                        if [ -e $F/contents/$inode ]; then cp $F/contents/$inode $name; else : > $name; fi
                    done < $F/names
                fi
                keep_all
                for each in 1 2; do boot && is_safe; done
                seal 0 && is_sealed && boot && is_sealed
            }
            full() {
                touch $F/full
                if seal 0; then return 1; fi
                # A seal that fails before its key is in place leaves the note of this one.
                touch $F/broken
                if seal 0 --replace; then return 1; fi
                /usr/bin/rm $F/broken
                for each in 1 2; do boot && is_safe; done
                if seal 0; then return 1; fi
                /usr/bin/rm $F/full
                boot && is_safe && seal 0 && is_sealed
            }
            roomless() {
                mount -t tmpfs -o size=8k none /etc/passd
                head -c 8192 /dev/zero > /etc/passd/filler
                if seal 0; then return 1; fi
                [ "$(ls -A /etc/passd)" = filler ] && boot && is_safe
                /usr/bin/rm /etc/passd/filler
                seal 0 && is_sealed
            }
            \(play)
            """
        return try ChildProcess.run(["unshare", "--mount", "sh", "-c", script], folder: repository)
    }
}
