// Runs the case that the address names, and goes on to the next when the server says that it has the event.
import * as Sentry from "@sentry/browser";
import { collectMessages } from "./messages.js";
import * as shop from "./shop.js";

const query = new URLSearchParams(location.search);
const name = query.get("case");

Sentry.init({
  dsn: `http://public@${location.host}/1`,
  release: "shop@1.0.0",
  environment: "recording",
  initialScope: { tags: { case: name } },
});

async function next() {
  const answer = await (await fetch(`/next?case=${name}`)).json();
  if (answer.next) location.href = answer.next;
}

async function run() {
  if (name === "messages") {
    await fetch("/messages", { method: "POST", body: JSON.stringify(collectMessages()) });
    await next();
    return;
  }
  setTimeout(next, 900);
  if (name === "moduleError") {
    const script = document.createElement("script");
    script.type = "module";
    script.src = query.get("module");
    document.head.append(script);
    return;
  }
  // A microtask, so that what a case throws is an uncaught error and not a rejection of this function.
  queueMicrotask(function start() {
    // biome-ignore lint/performance/noDynamicNamespaceImportAccess: every case stays in the bundle
    shop[name](Sentry);
  });
}

run();
