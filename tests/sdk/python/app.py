"""A small application that fails, reporting by the Python SDK. The DSN comes from the environment."""

import logging
import os

import sentry_sdk
from sentry_sdk.crons import monitor

sentry_sdk.init(
    dsn=os.environ["SENTRY_DSN"],
    release="python-app@1.0.0",
    environment="sdk-test",
    traces_sample_rate=1.0,
    enable_logs=True,
    send_default_pii=True,
)


class Cart:
    def __init__(self, discount):
        self.discount = discount

    def total(self, password):
        return 100 - self.discount["amount"]


def checkout(cart):
    return cart.total(password="hunter2")


with sentry_sdk.start_transaction(op="task", name="checkout"):
    sentry_sdk.set_user({"id": 4711, "email": "ada@example.com"})
    sentry_sdk.set_tag("plan", "pro")
    sentry_sdk.add_breadcrumb(category="cart", message="checkout pressed")
    with sentry_sdk.start_span(op="db.query", name="SELECT * FROM carts"):
        pass
    sentry_sdk.logger.info("cart {cart_id} is checked out", cart_id=7)
    try:
        try:
            checkout(Cart(discount=None))
        except TypeError as error:
            raise RuntimeError("checkout failed") from error
    except RuntimeError:
        sentry_sdk.capture_exception()

with sentry_sdk.new_scope() as scope:
    scope.add_attachment(bytes=b"\x00\xff\n{", filename="cart ä.bin", content_type="application/x-cart")
    for number in range(120):
        sentry_sdk.add_breadcrumb(message=f"step {number}")
    scope.set_context("odd", {"largest": 2**64 - 1, "half": "\ud83d", "nul": "\x00"})
    sentry_sdk.capture_message("what a scope may carry")


@monitor(monitor_slug="nightly", monitor_config={"schedule": {"type": "crontab", "value": "0 3 * * *"}})
def run_nightly():
    pass


run_nightly()
sentry_sdk.metrics.count("checkouts", 1)
scope = sentry_sdk.get_isolation_scope()
scope.start_session(session_mode="application")
scope.end_session()
sentry_sdk.capture_event({"type": "feedback", "level": "info", "contexts": {"feedback": {"message": "it broke"}}})
logging.getLogger("shop").error("payment %s was refused", "p-1234")
sentry_sdk.flush(10)
