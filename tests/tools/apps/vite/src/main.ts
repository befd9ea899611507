import * as Sentry from "@sentry/browser";
import { type Cart, totalOf } from "./total.ts";

Sentry.init({ dsn: import.meta.env.VITE_SENTRY_DSN, environment: "production" });

function pay(this: HTMLButtonElement): void {
  const cart: Cart = JSON.parse(this.dataset.cart ?? "{}");
  document.title = `Paid ${totalOf(cart)}`;
}

document.querySelector("button")?.addEventListener("click", pay);
