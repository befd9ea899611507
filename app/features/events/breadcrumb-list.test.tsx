import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Breadcrumb, SentryEvent } from "../../domain/event.ts";
import { BreadcrumbList } from "./breadcrumb-list.tsx";

test.each<[string, Partial<Breadcrumb>, string]>([
  ["a request", { type: "http", data: { url: "/cart", method: "PUT", status_code: 200 } }, "PUT /cart [200]"],
  [
    "a request with words of its own",
    { type: "http", message: "Saving the cart", data: { url: "/cart", method: "PUT", status_code: 500 } },
    "Saving the cart PUT /cart [500]",
  ],
  ["a request that is said as a message", { type: "http", message: "/cart" }, "GET /cart"],
  ["a navigation", { type: "navigation", data: { from: "/cart", to: "/pay" } }, "/cart → /pay"],
  [
    "a navigation with words of its own",
    { type: "navigation", message: "By a link:", data: { from: "/cart", to: "/pay" } },
    "By a link: /cart → /pay",
  ],
  [
    "a screen that comes",
    { type: "navigation", category: "ui.lifecycle", data: { state: "resumed", screen: "Cart" } },
    "{2 keys}stateresumedscreenCart",
  ],
])("%s says what came", (_, crumb, words) => {
  const values = [{ type: "default", level: "info", ...crumb }];
  render(<BreadcrumbList event={{ timestamp: 1, breadcrumbs: { values } } as SentryEvent} title="It broke" />);
  const [first] = screen.getAllByRole("listitem");
  expect(first?.querySelector(".crumb-text")?.textContent.trim()).toBe(words);
});
