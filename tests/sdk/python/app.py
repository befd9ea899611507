"""A small application that fails, reporting by the Python SDK. The DSN comes from the environment."""

import logging
import os

import sentry_sdk

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

logging.getLogger("shop").error("payment %s was refused", "p-1234")
sentry_sdk.flush(10)
