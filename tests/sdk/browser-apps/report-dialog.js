// A page that fails, and asks its user what happened by the report dialog of the SDK.
import * as Sentry from "@sentry/browser";
import { readOptions } from "./read-options.js";

const options = readOptions();
Sentry.init({ dsn: options.dsn, release: "shop@3", defaultIntegrations: false });

window.happened = [];
window.fail = () => Sentry.captureException(new TypeError("the cart is gone"));
window.ask = (dialogOptions) =>
  Sentry.showReportDialog({
    ...dialogOptions,
    onLoad: () => window.happened.push("load"),
    onClose: () => window.happened.push("close"),
  });
document.getElementById("root").innerHTML = '<input aria-label="Search"><button>Buy</button>';
document.addEventListener("keydown", ({ key }) => window.happened.push(`key ${key}`));
