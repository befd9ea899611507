import type { WebhookForm } from "../domain/notification.ts";

/** The message format of an address, by the hosts of Slack and Discord; all others get Culprit's own JSON. */
export function recogniseWebhookForm(url: URL): WebhookForm {
  const { hostname, pathname } = url;
  if (hostname === "hooks.slack.com" || hostname === "hooks.slack-gov.com") return "slack";
  const isDiscord = /^(?:(?:canary|ptb)\.)?discord(?:app)?\.com$/.test(hostname) && pathname.startsWith("/api/");
  return isDiscord ? "discord" : "json";
}
