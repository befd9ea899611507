import { z } from "zod";
import type { Assertion } from "../domain/uptime/assertion.ts";
import type { LocationOrders, LocationReport } from "../domain/uptime/location-exchange.ts";
import { UPTIME_METHODS } from "../domain/uptime/uptime-monitor.ts";
import type { LocationConfig } from "./location-config.server.ts";

const TIMEOUT_MS = 30_000;

const target = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("http"),
    method: z.enum(UPTIME_METHODS),
    url: z.string(),
    headers: z.array(z.tuple([z.string(), z.string()])),
    body: z.string(),
  }),
  z.object({ kind: z.literal("tcp"), host: z.string(), port: z.int().min(1).max(65_535) }),
]);

const orders = z.object({
  location: z.string(),
  listKey: z.string(),
  monitors: z
    .array(
      z.object({
        monitorId: z.int(),
        settingsKey: z.string(),
        target,
        timeoutMs: z.int().min(1).max(60_000),
        assertions: z.array(z.custom<Assertion>((value) => typeof value === "object" && value !== null)),
        intervalSeconds: z.number().min(1),
      }),
    )
    .nullable(),
  taken: z.int(),
  ignored: z.int(),
});

/** The server does not want this location: asking again does not help. */
export class RefusedLocationError extends Error {
  override readonly name = "RefusedLocationError";
}

/** @throws {RefusedLocationError}, or any other error after which it may be asked again. */
export async function exchange(
  { server, organization, token }: LocationConfig,
  report: LocationReport,
  signal: AbortSignal,
): Promise<LocationOrders> {
  const response = await fetch(`${server}/api/0/organizations/${organization}/uptime-location-checks/`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(report),
    // The token is for this server alone.
    redirect: "error",
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  const text = await response.text();
  if (response.ok) return orders.parse(JSON.parse(text));
  const message = `${server} answers ${response.status}: ${readDetail(text)}`;
  if ([401, 403, 404].includes(response.status)) throw new RefusedLocationError(message);
  throw new Error(message);
}

function readDetail(text: string): string {
  try {
    const { detail }: { detail?: unknown } = JSON.parse(text);
    if (typeof detail === "string") return detail.slice(0, 300);
  } catch {
    // No answer of Culprit: perhaps of a proxy before it.
  }
  return text.slice(0, 100);
}
