import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ServiceCall {
  method: string;
  /** Path and query. */
  path: string;
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of six services
  body: any;
}

/** What a service does with a call: it takes it, refuses it for good, or asks to wait. */
export type ServiceMood = "takes" | "refuses" | "limits";

export const SLACK_TOKEN = "xoxb-123456789-secret";
export const TELEGRAM_TOKEN = "123456:secret-secret-secret";
export const ROUTING_KEY = "0123456789abcdef0123456789abcdef";
const HOOK = "/hook/s3cret-path";

/**
 * Slack, Discord, Teams, Mattermost, Telegram, ntfy and PagerDuty on one port of the loopback. Each answers as its public reference
 * says: what it takes, what it refuses, and when it asks to wait.
 */
export async function startChatServices() {
  const calls: ServiceCall[] = [];
  let mood: ServiceMood = "takes";
  let made = 0;
  function answer({ path, body, headers }: ServiceCall, res: ServerResponse): ServerResponse {
    const json = (status: number, value: object, more: Record<string, string> = {}) =>
      res.writeHead(status, { "content-type": "application/json", ...more }).end(JSON.stringify(value));
    const text = (status: number, value: string, more: Record<string, string> = {}) =>
      res.writeHead(status, more).end(value);
    const [, service = "", ...rest] = (path.split("?")[0] ?? "").split("/");
    made++;
    if (service === "api") {
      if (mood === "limits") return json(429, { ok: false, error: "ratelimited" }, { "retry-after": "30" });
      if (headers.authorization !== `Bearer ${SLACK_TOKEN}`) return json(200, { ok: false, error: "invalid_auth" });
      if (mood === "refuses") return json(200, { ok: false, error: "channel_not_found" });
      return json(200, { ok: true, channel: "C0123456789", ts: body.ts ?? `1795491716.00${made}` });
    }
    if (service.startsWith("bot")) {
      if (mood === "limits")
        return json(429, {
          ok: false,
          error_code: 429,
          description: "Too Many Requests: retry after 7",
          parameters: { retry_after: 7 },
        });
      if (service !== `bot${TELEGRAM_TOKEN}`)
        return json(401, { ok: false, error_code: 401, description: "Unauthorized" });
      if (mood === "refuses")
        return json(400, { ok: false, error_code: 400, description: "Bad Request: chat not found" });
      return json(200, { ok: true, result: { message_id: body.message_id ?? made, chat: { id: -100 } } });
    }
    if (service === "v2") {
      if (mood === "limits") return text(429, "");
      if (mood === "refuses" || body.routing_key !== ROUTING_KEY)
        return json(400, { status: "invalid event", message: "Event object is invalid" });
      return json(202, { status: "success", message: "Event processed", dedup_key: body.dedup_key });
    }
    if (service === "discord") {
      if (mood === "limits")
        return json(429, { message: "You are being rate limited.", retry_after: 0.5 }, { "retry-after": "0.5" });
      if (mood === "refuses") return json(404, { message: "Unknown Webhook", code: 10015 });
      return path.includes("wait=true") || rest.includes("messages")
        ? json(200, { id: rest.at(-2) === "messages" ? rest.at(-1) : `90000000000000000${made}` })
        : text(204, "");
    }
    if (mood === "limits") return text(429, "slow down", { "retry-after": "60" });
    if (mood === "refuses") return text(service === "" ? 403 : 404, "no such webhook");
    return service === "" ? json(200, { id: "n1", topic: body.topic }) : text(service === "teams" ? 202 : 200, "ok");
  }
  const server = createServer((req, res) => {
    const parts: Buffer[] = [];
    req.on("data", (part: Buffer) => parts.push(part));
    req.on("end", () => {
      const body: unknown = JSON.parse(Buffer.concat(parts).toString("utf8"));
      const call = { method: req.method ?? "", path: req.url ?? "", headers: req.headers, body };
      calls.push(call);
      answer(call, res);
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    calls,
    url,
    hosts: { slack: url, telegram: url, pagerduty: { us: url, eu: url } },
    /** The address of an incoming webhook. */
    hook: (service: "slack" | "discord" | "teams" | "mattermost") => `${url}/${service}${HOOK}`,
    become: (next: ServiceMood) => {
      mood = next;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
