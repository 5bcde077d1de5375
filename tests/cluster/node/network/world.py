#!/usr/bin/env python3
"""Answers every connection on 80 and 443 with one line, on all addresses of its network namespace but the one given: there it takes
the connection and says nothing."""
import socket
import sys
import threading

SILENT = sys.argv[1]
held = []


def serve(port):
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(('0.0.0.0', port))
    listener.listen(256)
    while True:
        connection, _ = listener.accept()
        if connection.getsockname()[0] == SILENT:
            held.append(connection)
            continue
        with connection:
            connection.sendall(b'HTTP/1.1 200 OK\r\ncontent-length: 5\r\nconnection: close\r\n\r\nworld')


threads = [threading.Thread(target=serve, args=(port,)) for port in (80, 443)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
