"""A payments service whose query is cancelled. The DSN comes from the environment. Prints its origin."""

import os
import time
from wsgiref.simple_server import WSGIRequestHandler, make_server

import sentry_sdk
from sentry_sdk.integrations.wsgi import SentryWsgiMiddleware

sentry_sdk.init(
    dsn=os.environ["SENTRY_DSN"],
    release="payments@1.0.0",
    environment="sdk-test",
    traces_sample_rate=1.0,
    enable_logs=True,
)


class QueryCanceled(Exception):
    pass


def find_charges():
    with sentry_sdk.start_span(op="db.query", name="SELECT * FROM charges WHERE customer_id = $1") as span:
        time.sleep(0.2)
        span.set_status("deadline_exceeded")
        raise QueryCanceled("canceling statement due to statement timeout")


def app(environ, start_response):
    sentry_sdk.logger.warning("charge request received")
    try:
        find_charges()
    except QueryCanceled:
        sentry_sdk.capture_exception()
    start_response("502 Bad Gateway", [("Content-Type", "application/json")])
    return [b"{}"]


class Quiet(WSGIRequestHandler):
    def log_message(self, *args):
        pass


server = make_server("127.0.0.1", 0, SentryWsgiMiddleware(app), handler_class=Quiet)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
