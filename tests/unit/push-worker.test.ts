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
      pushManager: {
        subscribe: async (options: object) => ({ endpoint: "https://push.example/new", options }),
      },
      showNotification: async (title: string, options: Record<string, unknown>) => void shown.push({ title, options }),
    },
    clients: { matchAll: async () => windows, openWindow: async (url: string) => void opened.push(url) },
  };
  const posted: Array<Record<string, unknown>> = [];
  const fetch = async (path: string, { method, body }: { method: string; body: FormData }) =>
    void posted.push({ path, method, ...Object.fromEntries(body) });
  runInNewContext(SCRIPT, { self, URL, FormData, fetch });
  const dispatch = async (type: string, event: object) => {
    const waiting: unknown[] = [];
    listeners.get(type)?.({ ...event, waitUntil: (promise: unknown) => waiting.push(promise) });
    await Promise.all(waiting);
  };
  return {
    shown,
    opened,
    posted,
    change: (event: object) => dispatch("pushsubscriptionchange", event),
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

test("tells the server when the push service has given the browser another address", async () => {
  const worker = start();
  const former = { endpoint: "https://push.example/old", options: { applicationServerKey: "key" } };
  await worker.change({ oldSubscription: former, newSubscription: null });
  await worker.change({
    oldSubscription: null,
    newSubscription: { endpoint: "https://push.example/given", options: { applicationServerKey: "key" } },
  });
  // Nothing says for which key.
  await worker.change({ oldSubscription: null, newSubscription: null });
  expect(worker.posted).toEqual([
    {
      ...{ path: "/settings", method: "POST", intent: "push-renew", former: "https://push.example/old" },
      subscription: expect.stringContaining('"https://push.example/new"'),
    },
    {
      ...{ path: "/settings", method: "POST", intent: "push-renew", former: "" },
      subscription: expect.stringContaining('"https://push.example/given"'),
    },
  ]);
});

test("the manifest for home screens names icons that are there, in their sizes", () => {
  const read = (name: string) => readFileSync(resolve(import.meta.dirname, "../../public", name));
  const manifest: { start_url: string; display: string; icons: Array<{ src: string; sizes: string; type: string }> } =
    JSON.parse(read("manifest.webmanifest").toString("utf8"));
  expect(manifest).toMatchObject({ start_url: "/", display: "standalone" });
  const drawn = manifest.icons.filter(({ type }) => type === "image/png");
  expect(drawn.map(({ sizes }) => sizes)).toEqual(["192x192", "512x512"]);
  // Width and height stand in the first chunk of a PNG. iOS takes its own icon, by its name.
  for (const { src, sizes } of [...drawn, { src: "/apple-touch-icon.png", sizes: "180x180" }]) {
    const bytes = read(src.slice(1));
    expect([src, `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`]).toEqual([src, sizes]);
  }
});
