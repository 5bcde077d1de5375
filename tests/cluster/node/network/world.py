#!/usr/bin/env python3
"""world.py SILENT MEDIA FOLDER: answers every connection on 80 and 443 with one line, on all addresses of its network namespace but two.
At SILENT it takes the connection and says nothing. At MEDIA it serves the files of FOLDER over TLS, with FOLDER/tls.crt and tls.key.
Bodies that are POSTed there are kept, a line each, in FOLDER/posted.jsonl."""
import os
import socket
import ssl
import sys
import threading

SILENT, MEDIA, FOLDER = sys.argv[1:4]
TIMEOUT_SECONDS = 60
held = []
posted = threading.Lock()


def serve(port):
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(('0.0.0.0', port))
    listener.listen(256)
    while True:
        connection, _ = listener.accept()
        address = connection.getsockname()[0]
        if address == SILENT:
            held.append(connection)
        elif address == MEDIA:
            threading.Thread(target=serve_media, args=(connection,), daemon=True).start()
        else:
            with connection:
                connection.sendall(b'HTTP/1.1 200 OK\r\ncontent-length: 5\r\nconnection: close\r\n\r\nworld')


def serve_media(connection):
    connection.settimeout(TIMEOUT_SECONDS)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(os.path.join(FOLDER, 'tls.crt'), os.path.join(FOLDER, 'tls.key'))
    with context.wrap_socket(connection, server_side=True) as tls:
        head = b''
        while b'\r\n\r\n' not in head:
            received = tls.recv(65536)
            if not received:
                return
            head += received
        if head.startswith(b'POST '):
            keep(tls, head)
            return
        path = os.path.join(FOLDER, 'made', os.path.basename(head.split(b' ')[1].decode()))
        found = os.path.isfile(path)
        body = open(path, 'rb').read() if found else b''
        status = '200 OK' if found else '404 Not Found'
        tls.sendall(f'HTTP/1.1 {status}\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n'.encode() + body)
        print(head.split(b'\r\n')[0].decode(), status, flush=True)


def keep(tls, received):
    head, body = received.split(b'\r\n\r\n', 1)
    length = next(int(line.split(b':')[1]) for line in head.lower().split(b'\r\n') if line.startswith(b'content-length:'))
    while len(body) < length:
        received = tls.recv(65536)
        if not received:
            return
        body += received
    with posted, open(os.path.join(FOLDER, 'posted.jsonl'), 'ab') as file:
        file.write(body + b'\n')
    tls.sendall(b'HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n')


threads = [threading.Thread(target=serve, args=(port,)) for port in (80, 443)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
