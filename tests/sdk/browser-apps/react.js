// A React application that fails, reporting by the React SDK with its tracing of the router's navigations.
import * as Sentry from "@sentry/react";
import { createElement as h, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import {
  createBrowserRouter,
  createRoutesFromChildren,
  Link,
  matchRoutes,
  useLocation,
  useNavigationType,
} from "react-router";
import { RouterProvider } from "react-router/dom";
import { readOptions } from "./read-options.js";

Sentry.init({
  dsn: readOptions().dsn,
  release: "react-app@1.0.0",
  environment: "sdk-test",
  tracesSampleRate: 1,
  integrations: [
    Sentry.reactRouterV7BrowserTracingIntegration({
      useEffect,
      useLocation,
      useNavigationType,
      createRoutesFromChildren,
      matchRoutes,
    }),
  ],
});

function Cart({ discount }) {
  return h("p", null, discount.code);
}

function Shop() {
  const [isOpen, setOpen] = useState(false);
  return h(
    "main",
    null,
    h("button", { type: "button", id: "open", onClick: () => setOpen(true) }, "Open the cart"),
    h("button", { type: "button", id: "handler", onClick: () => JSON.parse("{oops") }, "Load the cart"),
    h(Link, { to: "/products/17" }, "A product"),
    isOpen &&
      h(
        Sentry.ErrorBoundary,
        { fallback: h("p", { role: "alert" }, "The cart is broken.") },
        h(Cart, { discount: null }),
      ),
  );
}

const createRouter = Sentry.wrapCreateBrowserRouterV7(createBrowserRouter);
const router = createRouter([
  { path: "/", Component: Shop },
  { path: "/products/:id", Component: () => h("h1", null, "The product") },
]);
createRoot(document.getElementById("root")).render(h(RouterProvider, { router }));
window.sdk = { flush: () => Sentry.flush(5000) };
