import type { Platform } from "./platforms.ts";

/** A sample for each family: the same failure, with enough of the language to recognise it. */
const SCENES: Record<
  Platform["family"],
  {
    platform: string;
    type: string;
    value: string;
    file: string;
    module: string;
    fn: string;
    code: string[];
    library: string;
    libraryFn: string;
  }
> = {
  javascript: {
    platform: "javascript",
    type: "TypeError",
    value: "Cannot read properties of undefined (reading 'total')",
    file: "src/checkout/cart.ts",
    module: "checkout/cart",
    fn: "computeTotal",
    code: [
      "export function computeTotal(cart: Cart) {",
      "  const discount = discounts.get(cart.code);",
      "  return cart.items.reduce(add, 0) - discount.total;",
      "}",
      "",
    ],
    library: "node_modules/react-dom/client.js",
    libraryFn: "dispatchEvent",
  },
  node: {
    platform: "node",
    type: "TypeError",
    value: "Cannot read properties of undefined (reading 'total')",
    file: "/srv/shop/src/cart.js",
    module: "cart",
    fn: "computeTotal",
    code: [
      "export function computeTotal(cart) {",
      "  const discount = discounts.get(cart.code);",
      "  return cart.items.reduce(add, 0) - discount.total;",
      "}",
      "",
    ],
    library: "/srv/shop/node_modules/express/lib/router/layer.js",
    libraryFn: "Layer.handle",
  },
  python: {
    platform: "python",
    type: "AttributeError",
    value: "'NoneType' object has no attribute 'total'",
    file: "shop/cart.py",
    module: "shop.cart",
    fn: "compute_total",
    code: [
      "def compute_total(cart):",
      "    discount = DISCOUNTS.get(cart.code)",
      "    return sum(cart.items) - discount.total",
      "",
      "",
    ],
    library: "django/core/handlers/exception.py",
    libraryFn: "inner",
  },
  go: {
    platform: "go",
    type: "runtime.Error",
    value: "invalid memory address or nil pointer dereference",
    file: "shop/cart.go",
    module: "example.com/shop",
    fn: "(*Cart).Total",
    code: [
      "func (c *Cart) Total() int {",
      "\tdiscount := discounts[c.Code]",
      "\treturn sum(c.Items) - discount.Total",
      "}",
      "",
    ],
    library: "net/http/server.go",
    libraryFn: "(*conn).serve",
  },
  rust: {
    platform: "rust",
    type: "panic",
    value: "called `Option::unwrap()` on a `None` value",
    file: "src/cart.rs",
    module: "shop::cart",
    fn: "shop::cart::Cart::total",
    code: [
      "pub fn total(&self) -> u64 {",
      "    let discount = self.discounts.get(&self.code);",
      "    self.sum() - discount.unwrap().total",
      "}",
      "",
    ],
    library: "core/src/option.rs",
    libraryFn: "core::option::unwrap_failed",
  },
  java: {
    platform: "java",
    type: "NullPointerException",
    value: 'Cannot invoke "Discount.total()" because "discount" is null',
    file: "Cart.java",
    module: "com.example.shop.Cart",
    fn: "total",
    code: [
      "  public int total() {",
      "    Discount discount = discounts.get(code);",
      "    return sum() - discount.total();",
      "  }",
      "",
    ],
    library: "Thread.java",
    libraryFn: "run",
  },
  php: {
    platform: "php",
    type: "Error",
    value: "Call to a member function total() on null",
    file: "/src/Cart.php",
    module: "Shop\\Cart",
    fn: "Shop\\Cart::total",
    code: [
      "    public function total(): int {",
      "        $discount = $this->discounts->find($this->code);",
      "        return $this->sum() - $discount->total();",
      "    }",
      "",
    ],
    library: "/vendor/laravel/framework/src/Routing/Controller.php",
    libraryFn: "Illuminate\\Routing\\Controller::callAction",
  },
  ruby: {
    platform: "ruby",
    type: "NoMethodError",
    value: "undefined method `total' for nil",
    file: "app/models/cart.rb",
    module: "Cart",
    fn: "total",
    code: ["  def total", "    discount = Discount.find_by(code:)", "    items.sum - discount.total", "  end", ""],
    library: "gems/actionpack/lib/action_controller/metal.rb",
    libraryFn: "dispatch",
  },
  dotnet: {
    platform: "csharp",
    type: "System.NullReferenceException",
    value: "Object reference not set to an instance of an object.",
    file: "Cart.cs",
    module: "Shop.Cart",
    fn: "Total",
    code: [
      "    public int Total() {",
      "        var discount = discounts.Find(Code);",
      "        return Sum() - discount.Total;",
      "    }",
      "",
    ],
    library: "Microsoft.AspNetCore.Mvc.dll",
    libraryFn: "Execute",
  },
  other: {
    platform: "other",
    type: "Error",
    value: "The discount does not exist",
    file: "shop/cart",
    module: "cart",
    fn: "total",
    code: ["total():", "  discount = find(code)", "  return sum(items) - discount.total", "", ""],
    library: "framework/server",
    libraryFn: "handle",
  },
};

/**
 * An envelope like one that an SDK of the platform would send, with a tag that marks it as a sample. `now`: milliseconds since
 * 1970. `eventId`: 32 hex characters.
 */
export function createSampleEnvelope({
  platform,
  eventId,
  now,
}: {
  platform: Platform;
  eventId: string;
  now: number;
}): string {
  const scene = SCENES[platform.family];
  const seconds = now / 1000;
  const event = {
    event_id: eventId,
    timestamp: seconds,
    platform: scene.platform,
    level: "error",
    environment: "production",
    release: "shop@1.4.2",
    transaction: "POST /checkout",
    tags: { sample: "yes", plan: "pro" },
    user: { id: "4711", username: "ada", ip_address: "203.0.113.7" },
    request: {
      method: "POST",
      url: "https://shop.example/checkout",
      query_string: "coupon=SPRING",
      headers: {
        "User-Agent":
          "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
      },
      data: { code: "SPRING", password: "a value that Culprit hides" },
    },
    breadcrumbs: {
      values: [
        { timestamp: seconds - 9.2, category: "navigation", type: "navigation", data: { from: "/", to: "/cart" } },
        { timestamp: seconds - 4.1, category: "ui.click", message: "button#checkout" },
        {
          timestamp: seconds - 0.3,
          category: "http",
          type: "http",
          data: { method: "GET", url: "/api/discounts/SPRING", status_code: 404 },
          level: "warning",
        },
      ],
    },
    exception: {
      values: [
        {
          type: scene.type,
          value: scene.value,
          mechanism: { type: "generic", handled: false },
          stacktrace: {
            frames: [
              { filename: scene.library, function: scene.libraryFn, lineno: 412, in_app: false },
              {
                filename: scene.file.replace("cart", "checkout").replace("Cart", "Checkout"),
                function: "checkout",
                lineno: 27,
                colno: 18,
                in_app: true,
              },
              {
                filename: scene.file,
                module: scene.module,
                function: scene.fn,
                lineno: 14,
                colno: 42,
                in_app: true,
                pre_context: scene.code.slice(0, 2),
                context_line: scene.code[2],
                post_context: scene.code.slice(3),
                vars: { code: "SPRING", discount: null, "cart.items": [1290, 450, 4999] },
              },
            ],
          },
        },
      ],
    },
    contexts: { runtime: { name: platform.label, version: "1.0" } },
    sdk: { name: "culprit.sample", version: "1.0.0" },
  };
  const header = { event_id: eventId, sent_at: new Date(now).toISOString() };
  return `${JSON.stringify(header)}\n{"type":"event"}\n${JSON.stringify(event)}\n`;
}
