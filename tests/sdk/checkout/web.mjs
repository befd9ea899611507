// The server of a shop: it serves the page, and asks the payments service when somebody pays. Prints its origin.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import * as Sentry from "@sentry/node";

class PaymentUnavailable extends Error {
  name = "PaymentUnavailable";
}

const PAGE = `<!doctype html>
<meta charset="utf-8"><title>Shop</title><link rel="icon" href="data:,">
<body><script type="module" src="/app.js"></script>`;

async function pay() {
  Sentry.logger.info("checkout began");
  await Sentry.startSpan({ name: "SELECT * FROM carts WHERE id = $1", op: "db.query" }, async () => undefined);
  const charge = await fetch(`${process.env.PAYMENTS}/v1/charges`, { method: "POST" });
  if (charge.ok) return charge.json();
  Sentry.logger.error("payments answered", { status: charge.status });
  throw new PaymentUnavailable(`payments answered ${charge.status}`);
}

const server = createServer(async (req, res) => {
  if (req.url === "/api/checkout") {
    const answer = await pay().catch((error) => {
      Sentry.captureException(error);
      return null;
    });
    return res
      .writeHead(answer === null ? 502 : 200, { "content-type": "application/json" })
      .end(JSON.stringify(answer ?? {}));
  }
  if (req.url === "/app.js")
    return res.writeHead(200, { "content-type": "text/javascript" }).end(readFileSync(process.env.BROWSER_APP));
  res.writeHead(200, { "content-type": "text/html" }).end(PAGE);
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
process.on("SIGTERM", async () => {
  await Sentry.flush(5_000);
  process.exit(0);
});
