import type { DemoProject } from "./shop.ts";

/** A piece of work, and its parts. Times are milliseconds. */
export interface Step {
  op: string;
  /** The name of a transaction, or the description of a span. */
  name: string;
  /** The project in which this work is a transaction. Absent: it is a span of the transaction around it. */
  project?: DemoProject;
  /** The shortest and longest time of the step itself, without its children. */
  ownMs: readonly [low: number, high: number];
  children?: readonly Step[];
  /** Children begin together. Otherwise one after the other. */
  isParallel?: boolean;
  /** How many times the step is done. */
  times?: number;
  data?: Readonly<Record<string, unknown>>;
}

const sql = (name: string, low: number, high: number, times = 1): Step => ({
  op: "db",
  name,
  ownMs: [low, high],
  times,
  data: { "db.system": "postgresql", "server.address": "postgres-1" },
});

const cache = (key: string): Step => ({
  op: "cache.get",
  name: key,
  ownMs: [0.4, 2],
  data: { "cache.key": key, "network.peer.address": "valkey-1" },
});

const calls = (method: string, url: string, answer: Step): Step => ({
  op: "http.client",
  name: `${method} ${url}`,
  ownMs: [6, 40],
  children: [answer],
  data: { "http.request.method": method, "url.full": url },
});

const script = (name: string): Step => ({ op: "resource.script", name, ownMs: [20, 180] });
const serves = (project: DemoProject, name: string, ownMs: Step["ownMs"], children: readonly Step[]): Step => ({
  op: "http.server",
  name,
  project,
  ownMs,
  children,
});

const CHARGE = calls(
  "POST",
  "http://billing.internal/charges",
  serves(
    "billing",
    "POST /charges",
    [3, 12],
    [
      sql("SELECT customer, card FROM payment_methods WHERE customer = $1", 1, 5),
      { op: "http.client", name: "POST https://api.payments.example/v1/charges", ownMs: [90, 420] },
      sql("INSERT INTO charges (order_id, cents, state) VALUES ($1, $2, $3)", 2, 8),
    ],
  ),
);

/** The requests that customers and clocks send to the shop. `weight`: how often, relative to the others. */
export const REQUEST_SHAPES: ReadonlyArray<{ weight: number; step: Step }> = [
  {
    weight: 6,
    step: {
      op: "pageload",
      name: "/products/:slug",
      project: "web",
      ownMs: [80, 400],
      children: [
        { op: "browser.request", name: "https://shop.example.com/products/blue-lamp", ownMs: [60, 320] },
        {
          op: "resource",
          name: "assets",
          ownMs: [2, 4],
          isParallel: true,
          children: ["app", "vendor", "product"].map((name) => script(`/assets/${name}.js`)),
        },
        calls(
          "GET",
          "/api/products/blue-lamp",
          serves(
            "api",
            "/api/products/{slug}",
            [4, 15],
            [
              cache("product:blue-lamp"),
              sql("SELECT * FROM products WHERE slug = %s", 2, 9),
              sql("SELECT * FROM stock WHERE product_id = %s", 1, 6),
            ],
          ),
        ),
        { op: "ui.react.render", name: "ProductPage", ownMs: [12, 90] },
      ],
    },
  },
  {
    weight: 5,
    step: {
      op: "navigation",
      name: "/search",
      project: "web",
      ownMs: [20, 90],
      children: [
        calls(
          "GET",
          "/api/search?q=lamp",
          serves(
            "api",
            "/api/search",
            [5, 20],
            [
              { op: "db", name: "search offers for lamp", ownMs: [20, 190], data: { "db.system": "opensearch" } },
              sql("SELECT * FROM products WHERE id = ANY(%s)", 3, 14),
            ],
          ),
        ),
        { op: "ui.react.render", name: "SearchResults", ownMs: [8, 60] },
      ],
    },
  },
  {
    weight: 3,
    step: {
      op: "navigation",
      name: "/checkout",
      project: "web",
      ownMs: [40, 160],
      children: [
        calls(
          "GET",
          "/api/cart",
          serves(
            "api",
            "/api/cart",
            [3, 10],
            [
              cache("cart:active"),
              sql("SELECT * FROM carts WHERE customer_id = %s", 2, 8),
              sql("SELECT * FROM line_items WHERE cart_id = %s", 2, 12),
            ],
          ),
        ),
        calls(
          "POST",
          "/api/orders/checkout",
          serves(
            "api",
            "/api/orders/checkout",
            [8, 30],
            [
              sql("SELECT * FROM orders WHERE id = %s FOR UPDATE", 3, 20),
              // One query for each line of the order: a problem for "what differs" and the waterfall to show.
              sql("SELECT price FROM variants WHERE id = %s", 4, 18, 7),
              CHARGE,
              sql("UPDATE orders SET state = %s WHERE id = %s", 2, 9),
              { op: "queue.publish", name: "orders.confirmed", ownMs: [1, 5] },
            ],
          ),
        ),
        { op: "ui.react.render", name: "CheckoutSummary", ownMs: [10, 70] },
      ],
    },
  },
  {
    weight: 1,
    step: serves(
      "api",
      "/api/orders/{id}",
      [5, 18],
      [sql("SELECT * FROM orders WHERE id = %s", 2, 9), cache("rates:EUR")],
    ),
  },
  {
    weight: 1,
    step: {
      op: "queue.process",
      name: "feeds.tasks.import_feed",
      project: "api",
      ownMs: [300, 900],
      children: [
        { op: "http.client", name: "GET https://feeds.supplier.example/offers.csv", ownMs: [200, 1_400] },
        sql("INSERT INTO offers (sku, stock, cents) VALUES (%s, %s, %s)", 6, 30, 12),
      ],
    },
  },
  {
    weight: 1,
    step: serves(
      "billing",
      "GET /invoices/{id}.pdf",
      [10, 40],
      [
        sql("SELECT * FROM invoices WHERE id = $1", 1, 6),
        { op: "template.render", name: "invoice.html", ownMs: [20, 90] },
        { op: "process", name: "html to pdf", ownMs: [180, 900] },
      ],
    ),
  },
  {
    weight: 1,
    step: {
      op: "function",
      name: "settle-accounts",
      project: "billing",
      ownMs: [100, 300],
      children: [
        sql("SELECT * FROM charges WHERE settled_at IS NULL", 20, 140),
        sql("UPDATE charges SET settled_at = now() WHERE id = $1", 2, 9, 9),
      ],
    },
  },
];
