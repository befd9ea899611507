import * as Sentry from "@sentry/node";
import { totalOf } from "./total.ts";

Sentry.init({ dsn: process.env.SENTRY_DSN, environment: "production" });

function pay(prices: number[]): void {
  const total = totalOf({ prices });
  console.log(`paid ${total}`);
}

pay(process.argv.slice(2).map(Number));
