import { expect, test } from "vitest";
import { findBrowserMonitoring, renderMonitoringMeta } from "./browser-monitoring.ts";

test("what the server writes into the head is what the page reads", () => {
  const monitoring = {
    dsn: "http://key@localhost/1",
    tunnelPath: "/monitoring",
    release: 'culprit@1"><script>&amp;',
    environment: "production",
    tracesSampleRate: 0.5,
  };
  document.head.innerHTML = renderMonitoringMeta(monitoring);
  expect(findBrowserMonitoring(document)).toEqual(monitoring);
  expect(document.scripts).toHaveLength(0);
});

test("a page that is told nothing does not watch itself", () => {
  document.head.innerHTML = "";
  expect(findBrowserMonitoring(document)).toBeNull();
});
