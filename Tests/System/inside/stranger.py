#!/usr/bin/env python3
"""A server on the network: stranger.py ADDRESS PORT FILE. Gives this machine the address in addition to its loopback address,
and writes a line to FILE for each connection."""
import fcntl
import socket
import struct
import sys

SIOCSIFADDR = 0x8916
SIOCSIFNETMASK = 0x891C


def give(command, address):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as handle:
        family = struct.pack("<H2x4s8x", socket.AF_INET, socket.inet_aton(address))
        fcntl.ioctl(handle, command, struct.pack("16s16s", b"lo:1", family))


give(SIOCSIFADDR, sys.argv[1])
give(SIOCSIFNETMASK, "255.255.255.255")
door = socket.create_server((sys.argv[1], int(sys.argv[2])))
with open(sys.argv[3], "a", encoding="utf-8") as heard:
    print("listens", file=heard, flush=True)
    while True:
        caller, _ = door.accept()
        print("heard", file=heard, flush=True)
        caller.close()
