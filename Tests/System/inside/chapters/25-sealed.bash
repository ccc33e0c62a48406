chapter "A sealing key, for the following chapters"

holds "a key is made" passd-setup seal
holds "the login is kept" await 20 signed_in
# The purge must remove this directory, too.
mkdir -p /var/lib/passd-credstore
