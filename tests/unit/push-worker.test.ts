import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";

const SCRIPT = readFileSync(resolve(import.meta.dirname, "../../public/push-worker.js"), "utf8");
const ORIGIN = "https://errors.example.com";

/** The worker as a browser runs it, with what it shows and opens. */
function start(windows: Array<{ url: string; focus(): void }> = []) {
  const listeners = new Map<string, (event: object) => void>();
  const shown: Array<{ title: string; options: Record<string, unknown> }> = [];
  const opened: string[] = [];
  const self = {
    location: { origin: ORIGIN },
    addEventListener: (type: string, listener: (event: object) => void) => listeners.set(type, listener),
    registration: {
      showNotification: async (title: string, options: Record<string, unknown>) => void shown.push({ title, options }),
    },
    clients: { matchAll: async () => windows, openWindow: async (url: string) => void opened.push(url) },
  };
  runInNewContext(SCRIPT, { self, URL });
  const dispatch = async (type: string, event: object) => {
    const waiting: unknown[] = [];
    listeners.get(type)?.({ ...event, waitUntil: (promise: unknown) => waiting.push(promise) });
    await Promise.all(waiting);
  };
  return {
    shown,
    opened,
    push: (text: string) => dispatch("push", { data: { json: () => JSON.parse(text) } }),
    click: (url: unknown) => dispatch("notificationclick", { notification: { close() {}, data: { url } } }),
  };
}

test("shows what came, so that the same message again takes its own place", async () => {
  const worker = start();
  const message = { title: "New issue", body: "SHOP-1", url: `${ORIGIN}/issues/1`, key: "k1" };
  await worker.push(JSON.stringify(message));
  await worker.push("no JSON");
  expect(worker.shown).toMatchObject([
    { title: "New issue", options: { body: "SHOP-1", tag: "k1", data: { url: message.url } } },
    { title: "Culprit", options: { body: "There is something new." } },
  ]);
});

test("opens pages of its own server alone, and one that is open already is shown", async () => {
  const focused: string[] = [];
  const worker = start([{ url: `${ORIGIN}/issues/2`, focus: () => void focused.push("2") }]);
  for (const url of [
    `${ORIGIN}/issues/1?a=b`,
    "https://evil.example/steal",
    "javascript:alert(1)",
    null,
    `${ORIGIN}/issues/2`,
  ])
    await worker.click(url);
  expect(worker.opened).toEqual([`${ORIGIN}/issues/1?a=b`, `${ORIGIN}/steal`, `${ORIGIN}/alert(1)`, `${ORIGIN}/`]);
  expect(focused).toEqual(["2"]);
});
