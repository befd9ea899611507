import type { DemoProject } from "./shop.ts";

/** An error of the demo: the data that an SDK would send, how often it happens, and since when. */
export interface ErrorScenario {
  project: DemoProject;
  /** Event fields besides ids, times, user, environment and release. */
  event: Record<string, unknown>;
  /** The number of events in all, and the number of days over which they happen. */
  count: number;
  days: number;
  /** `steady`, or more and more until now, or once a day for a while. */
  rhythm: "steady" | "growing" | "nightly";
  hasUsers: boolean;
}

interface DemoFrame {
  file: string;
  fn: string;
  line: number;
  col?: number;
  app?: boolean;
  pre?: string[];
  code?: string;
  post?: string[];
  vars?: Record<string, unknown>;
}

const toFrame = ({ file, fn, line, col, app = true, pre, code, post, vars }: DemoFrame) => ({
  filename: file,
  abs_path: file,
  function: fn,
  lineno: line,
  ...(col !== undefined && { colno: col }),
  in_app: app,
  ...(code !== undefined && { pre_context: pre ?? [], context_line: code, post_context: post ?? [] }),
  ...(vars && { vars }),
});

const thrown = (type: string, value: string, handled: boolean, frames: DemoFrame[], module?: string) => ({
  type,
  value,
  ...(module !== undefined && { module }),
  mechanism: { type: handled ? "generic" : "onerror", handled },
  stacktrace: { frames: frames.map(toFrame) },
});

const browser = (url: string) => ({
  request: {
    url,
    headers: { "User-Agent": "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/142.0.0.0 Safari/537.36" },
  },
  contexts: { browser: { name: "Chrome", version: "142.0.0" }, os: { name: "macOS", version: "15.1" } },
});

export const ERROR_SCENARIOS: readonly ErrorScenario[] = [
  {
    project: "web",
    count: 260,
    days: 2,
    rhythm: "growing",
    hasUsers: true,
    event: {
      platform: "javascript",
      level: "error",
      transaction: "/checkout",
      ...browser("https://shop.example.com/checkout?step=payment"),
      exception: {
        values: [
          thrown("TypeError", "Cannot read properties of null (reading 'price')", false, [
            { file: "https://shop.example.com/assets/react-dom.js", fn: "commitRoot", line: 1, col: 88021, app: false },
            {
              file: "src/checkout/summary.tsx",
              fn: "CheckoutSummary",
              line: 41,
              col: 18,
              pre: [
                "export function CheckoutSummary({ cart, discounts }) {",
                "  const items = cart.items.map(withDiscount(discounts));",
              ],
              code: "  const total = items.reduce((sum, item) => sum + toTotal(item), 0);",
              post: ["  return (", "    <Panel title={t('checkout.summary')}>"],
            },
            {
              file: "src/checkout/to-total.ts",
              fn: "toTotal",
              line: 7,
              col: 23,
              pre: ["/** Price of one line of the cart, in cents. */", "export function toTotal(item) {"],
              code: "  return item.variant.price * item.quantity;",
              post: ["}"],
              vars: { item: { id: "sku-4417", quantity: 2, variant: null } },
            },
          ]),
        ],
      },
      breadcrumbs: {
        values: [
          { type: "navigation", category: "navigation", data: { from: "/cart", to: "/checkout" } },
          { type: "http", category: "fetch", data: { url: "/api/cart", method: "GET", status_code: 200 } },
          { category: "ui.click", message: "button.apply-discount" },
          {
            type: "http",
            category: "fetch",
            level: "warning",
            data: { url: "/api/discounts/SUMMER", method: "POST", status_code: 422 },
          },
        ],
      },
      tags: { theme: "dark", "cart.currency": "EUR" },
    },
  },
  {
    project: "web",
    count: 90,
    days: 6,
    rhythm: "nightly",
    hasUsers: true,
    event: {
      platform: "javascript",
      level: "error",
      transaction: "/products/:slug",
      ...browser("https://shop.example.com/products/blue-lamp"),
      exception: {
        values: [
          thrown(
            "ChunkLoadError",
            "Loading chunk 417 failed.\n(error: https://shop.example.com/assets/417.3fe1c0.js)",
            false,
            [
              {
                file: "src/router/lazy-page.ts",
                fn: "loadPage",
                line: 12,
                col: 9,
                code: "  return import(pages[name]);",
              },
            ],
          ),
        ],
      },
    },
  },
  {
    project: "web",
    count: 420,
    days: 14,
    rhythm: "steady",
    hasUsers: true,
    event: {
      platform: "javascript",
      level: "info",
      transaction: "/search",
      ...browser("https://shop.example.com/search?q=lamp"),
      exception: {
        values: [
          thrown("AbortError", "The user aborted a request.", true, [
            {
              file: "src/search/fetch-suggestions.ts",
              fn: "fetchSuggestions",
              line: 23,
              col: 11,
              code: "  const answer = await fetch(url, { signal });",
            },
          ]),
        ],
      },
    },
  },
  {
    project: "web",
    count: 55,
    days: 1,
    rhythm: "growing",
    hasUsers: true,
    event: {
      platform: "javascript",
      level: "warning",
      transaction: "/products/:slug",
      ...browser("https://shop.example.com/products/desk"),
      exception: {
        values: [
          thrown("HydrationMismatch", "Text content does not match server-rendered HTML", true, [
            {
              file: "src/product/price.tsx",
              fn: "ProductPrice",
              line: 15,
              col: 5,
              code: "  return <span>{format(price, new Date())}</span>;",
            },
          ]),
        ],
      },
    },
  },
  {
    project: "api",
    count: 34,
    days: 5,
    rhythm: "nightly",
    hasUsers: false,
    event: {
      platform: "python",
      level: "fatal",
      transaction: "/api/orders/checkout",
      server_name: "orders-2",
      modules: { django: "5.2.1", psycopg: "3.2.3" },
      exception: {
        values: [
          thrown(
            "OperationalError",
            "connection failed: FATAL:  remaining connection slots are reserved for roles with the SUPERUSER attribute",
            true,
            [
              {
                file: "psycopg/connection.py",
                fn: "connect",
                line: 117,
                app: false,
                code: "            raise last_ex.with_traceback(None)",
              },
            ],
            "psycopg",
          ),
          thrown(
            "OperationalError",
            "connection failed: FATAL:  remaining connection slots are reserved for roles with the SUPERUSER attribute",
            false,
            [
              {
                file: "django/db/backends/base/base.py",
                fn: "ensure_connection",
                line: 279,
                app: false,
                code: "                self.connect()",
              },
              {
                file: "orders/views.py",
                fn: "checkout",
                line: 88,
                pre: ["    with transaction.atomic():"],
                code: "        order = Order.objects.select_for_update().get(pk=order_id)",
                post: ["        order.confirm(payment)"],
                vars: { order_id: "81723", payment: { method: "card", amount: 4200 } },
              },
            ],
            "django.db.utils",
          ),
        ],
      },
    },
  },
  {
    project: "api",
    count: 310,
    days: 13,
    rhythm: "steady",
    hasUsers: false,
    event: {
      platform: "python",
      level: "error",
      logger: "feeds.importer",
      transaction: "feeds.tasks.import_feed",
      exception: {
        values: [
          thrown("ValueError", "invalid literal for int() with base 10: 'N/A'", true, [
            {
              file: "feeds/importer.py",
              fn: "parse_row",
              line: 64,
              pre: ["def parse_row(row: dict) -> Offer:", '    sku = row["sku"].strip()'],
              code: '    stock = int(row["stock"])',
              post: ["    return Offer(sku=sku, stock=stock)"],
              vars: { row: { sku: "'A-1170'", stock: "'N/A'" }, sku: "'A-1170'" },
            },
          ]),
        ],
      },
    },
  },
  {
    project: "api",
    count: 40,
    days: 9,
    rhythm: "nightly",
    hasUsers: false,
    event: {
      platform: "python",
      level: "warning",
      logger: "orders.db",
      logentry: {
        message: "Slow query: %s took %d ms",
        params: ["SELECT * FROM line_items", 4812],
        formatted: "Slow query: SELECT * FROM line_items took 4812 ms",
      },
    },
  },
  {
    project: "api",
    count: 21,
    days: 0.8,
    rhythm: "growing",
    hasUsers: true,
    event: {
      platform: "python",
      level: "error",
      transaction: "/api/orders/{id}",
      request: { url: "https://api.example.com/api/orders/81723", method: "PATCH", data: { shipping: null } },
      exception: {
        values: [
          thrown("KeyError", "'shipping_address'", false, [
            {
              file: "orders/serializers.py",
              fn: "to_representation",
              line: 132,
              code: '        return format_address(instance["shipping_address"])',
            },
          ]),
        ],
      },
    },
  },
  {
    project: "billing",
    count: 150,
    days: 3,
    rhythm: "growing",
    hasUsers: false,
    event: {
      platform: "node",
      level: "warning",
      transaction: "POST /charges",
      exception: {
        values: [
          thrown("RateLimitError", "429 Too Many Requests from api.payments.example (retry after 30 s)", true, [
            {
              file: "node:internal/process/task_queues",
              fn: "processTicksAndRejections",
              line: 105,
              col: 5,
              app: false,
            },
            {
              file: "/app/src/payments/gateway.ts",
              fn: "PaymentGateway.charge",
              line: 58,
              col: 13,
              code: "    throw new RateLimitError(answer);",
            },
          ]),
        ],
      },
    },
  },
  {
    project: "billing",
    count: 12,
    days: 0.1,
    rhythm: "growing",
    hasUsers: true,
    event: {
      platform: "java",
      level: "error",
      transaction: "GET /invoices/{id}.pdf",
      exception: {
        values: [
          thrown(
            "IllegalStateException",
            "Cannot call sendError() after the response has been committed",
            false,
            [
              { file: "FilterChain.java", fn: "doFilter", line: 166, app: false },
              { file: "InvoiceController.java", fn: "render", line: 73 },
            ],
            "java.lang",
          ),
        ],
      },
    },
  },
  {
    project: "billing",
    count: 6,
    days: 0.05,
    rhythm: "steady",
    hasUsers: false,
    event: {
      platform: "go",
      level: "fatal",
      transaction: "settle-accounts",
      exception: {
        values: [
          thrown("runtime.boundsError", "index out of range [5] with length 5", false, [
            { file: "runtime/panic.go", fn: "goPanicIndex", line: 115, app: false },
            { file: "settle/worker.go", fn: "(*Worker).process", line: 48, code: "\tnext := batch[w.at]" },
          ]),
        ],
      },
    },
  },
];
