import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from filmgate import Filmgate, FilmgateError, verify_webhook

secret = os.environ["FILMGATE_WEBHOOK_SECRET"]
client = Filmgate()
bytes_max = 65_536


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        length = int(self.headers.get("content-length", bytes_max + 1))
        if length > bytes_max:
            return self.answer(413)
        try:
            event = verify_webhook(self.rfile.read(length), self.headers, secret)
        except FilmgateError:
            return self.answer(400)
        self.answer(204)
        # It is not sent again once it is answered: in production store the id before the answer.
        if event["type"] == "task.completed":
            task = event["data"]["task"]
            client.wait(task["id"]).save(f"{task['id']}.mp4")

    def answer(self, status):
        self.send_response(status)
        self.end_headers()


ThreadingHTTPServer(("", int(os.environ.get("PORT", "3000"))), Receiver).serve_forever()
