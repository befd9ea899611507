/**
 * An error as the browser SDK reports it: three frames of the application, two of a library, and everything else that a
 * page shows. `name` makes it an issue of its own.
 */
export function makeError(name: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    platform: "javascript",
    level: "error",
    release: "shop@2.1.0",
    environment: "production",
    sdk: { name: "sentry.javascript.browser", version: "10.75.2" },
    user: { id: "4711", email: "ada@example.com" },
    tags: { checkout: "express" },
    request: { url: "https://shop.example/cart", headers: { "User-Agent": "Mozilla/5.0 Chrome/142.0.0.0" } },
    contexts: { browser: { name: "Chrome", version: "142.0.0" }, os: { name: "Linux" } },
    breadcrumbs: { values: [{ timestamp: Date.now() / 1000 - 2, category: "ui.click", message: "button#pay" }] },
    extra: { cart: { items: 2 } },
    exception: {
      values: [
        {
          type: `${name}Error`,
          value: `${name} could not be done`,
          mechanism: { type: "generic", handled: true },
          stacktrace: {
            frames: [
              frame("node_modules/react-dom/client.js", "dispatchEvent", false),
              frame("node_modules/react-dom/client.js", "executeDispatch", false),
              frame("src/cart.js", `press${name}`, true),
              frame("src/pay.js", `pay${name}`, true),
              {
                ...frame("src/charge.js", `charge${name}`, true),
                pre_context: ["function charge(card) {"],
                context_line: `  throw new ${name}Error("could not be done");`,
                post_context: ["}"],
                vars: { card: { brand: "visa" } },
              },
            ],
          },
        },
      ],
    },
    ...more,
  };
}

function frame(filename: string, name: string, isInApp: boolean) {
  return {
    filename,
    abs_path: `https://shop.example/${filename}`,
    function: name,
    lineno: 12,
    colno: 9,
    in_app: isInApp,
  };
}
