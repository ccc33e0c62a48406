#!/usr/bin/env python3
"""What is between a box and its service: middlebox.py CERTIFICATE KEY. Passes connections with TLS to port 8443 on to the
sandbox, and is a name server for which each name has the address 127.0.0.1. Each command on standard input gets one line of
answer.

vanish  from now on, all packets of the present connections vanish
forget  forgets the present connections without telling the box, so that the next packet of each connection gets a reset
silent  the name server no longer answers
speak   the name server answers again
"""
import ctypes
import os
import select
import socket
import ssl
import struct
import sys
import threading
import time

SANDBOX = ("127.0.0.1", 8642)
ATTACH_FILTER, TCP_REPAIR = 26, 19
#: The commands for connections so far. A connection obeys the first one after its begin.
orders = []
vanished = []
is_silent = threading.Event()


def vanish(caller):
    """The kernel drops each packet before TCP sees it."""
    nothing = ctypes.create_string_buffer(struct.pack("HBBI", 0x06, 0, 0, 0))
    caller.setsockopt(socket.SOL_SOCKET, ATTACH_FILTER, struct.pack("HP", 1, ctypes.addressof(nothing)))
    vanished.append(caller)


def forget(caller):
    caller.setsockopt(socket.IPPROTO_TCP, TCP_REPAIR, 1)
    os.close(caller.detach())


def relay(caller, context):
    """The sandbox closes connections that are silent for ten seconds. A service keeps them longer, and so does this."""
    begun = len(orders)
    caller = context.wrap_socket(caller, server_side=True)
    service, used = None, 0.0
    while len(orders) == begun:
        ready = select.select([caller, service] if service else [caller], [], [], 0.2)[0]
        if caller in ready:
            request = caller.recv(1 << 16)
            if not request:
                return caller.close()
            if not service or time.monotonic() - used > 3:
                service = socket.create_connection(SANDBOX)
            service.sendall(request)
            used = time.monotonic()
        elif service in ready:
            answer = service.recv(1 << 16)
            if answer:
                caller.sendall(answer)
            else:
                service = None
    return {"vanish": vanish, "forget": forget}[orders[begun]](caller)


def serve(certificate, key):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    door = socket.create_server(("127.0.0.1", 8443))
    while True:
        caller, _ = door.accept()
        threading.Thread(target=relay, args=(caller, context), daemon=True).start()


def tell_names():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as door:
        door.bind(("127.0.0.1", 53))
        while True:
            query, caller = door.recvfrom(512)
            if is_silent.is_set():
                continue
            end = query.index(0, 12) + 5
            is_found = query[end - 4:end - 2] == b"\0\1"  # the question is for an address of version 4
            answer = b"\xc0\x0c" + struct.pack(">HHIH", 1, 1, 1, 4) + socket.inet_aton("127.0.0.1") if is_found else b""
            door.sendto(query[:2] + struct.pack(">HHHHH", 0x8180, 1, is_found, 0, 0) + query[12:end] + answer, caller)


for task in (lambda: serve(*sys.argv[1:]), tell_names):
    threading.Thread(target=task, daemon=True).start()
time.sleep(1)
print("ready", flush=True)
while command := sys.stdin.readline().strip():
    if command in ("vanish", "forget"):
        orders.append(command)
        time.sleep(0.5)  # until all connections have obeyed
    elif command == "silent":
        is_silent.set()
    else:
        is_silent.clear()
    print(command, flush=True)
