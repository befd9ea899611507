import { cleanText, toAttributes } from "../../protocol/otlp/attributes.ts";
import { droppedCounts } from "../../protocol/otlp/dropped-counts.ts";
import type { OtlpGroup } from "../../protocol/otlp/walk-request.ts";
import { type Json, toRecord, toShortText } from "../item-summary.ts";
import type { ArrivedItem } from "../signal.ts";
import { type SentTogether, toEnvironment, toRelease } from "../span/sent-together.ts";

/** The attributes of a resource and a scope, which count for all of their spans, logs or metrics. */
export interface Origin {
  /** The attributes that each span and log gets. */
  attributes: Json;
  /** Attributes of the resource by their own names, without a prefix. */
  resource: Json;
  release: string | null;
  environment: string | null;
  service: string | null;
  /** `nodejs`, `webjs`, `python`, `java`, `go`, `dotnet`, `ruby`, `php`, `rust` and others. */
  language: string | null;
  sdk: { name: string; version: string } | null;
  scopeName: string | null;
}

/** The common attributes of a group. */
export function toOrigin({ resource: sent, scope }: OtlpGroup): Origin {
  const resource = toAttributes(toRecord(sent).attributes);
  const release = toRelease(resource["service.version"]);
  const environment = toEnvironment(resource["deployment.environment.name"] ?? resource["deployment.environment"]);
  const service = toShortText(resource["service.name"]);
  const sdkName = toShortText(resource["telemetry.sdk.name"]);
  const language = toShortText(resource["telemetry.sdk.language"]);
  const sdk =
    sdkName === null
      ? null
      : {
          name: language === null ? sdkName : `${sdkName}.${language}`,
          version: toShortText(resource["telemetry.sdk.version"]) ?? "",
        };
  // These attributes have columns of their own, and are left out here unless their value was not accepted there.
  const taken: Readonly<Record<string, unknown>> = {
    "service.name": service,
    "service.version": release,
    "deployment.environment": environment,
    "deployment.environment.name": environment,
    ...(sdk === null
      ? {}
      : {
          "telemetry.sdk.name": sdkName,
          "telemetry.sdk.language": language,
          "telemetry.sdk.version": sdk.version,
        }),
  };
  const attributes: Json = {};
  for (const [key, value] of [...Object.entries(resource), ...Object.entries(droppedCounts(toRecord(sent)))])
    if (taken[key] !== value) attributes[`resource.${key}`] = value;
  for (const [key, value] of [
    ...Object.entries(toAttributes(scope.attributes)),
    ...Object.entries(droppedCounts(scope)),
  ])
    attributes[`instrumentation.${key}`] = value;
  const scopeName = toShortText(scope.name);
  if (typeof scope.name === "string" && scope.name !== "") attributes["instrumentation.name"] = cleanText(scope.name);
  if (typeof scope.version === "string" && scope.version !== "")
    attributes["instrumentation.version"] = cleanText(scope.version);
  if (release !== null) attributes["sentry.release"] = release;
  if (environment !== null) attributes["sentry.environment"] = environment;
  if (service !== null) attributes["service.name"] = service;
  if (sdk !== null) attributes["sentry.sdk.name"] = sdk.name;
  if (sdk !== null && sdk.version !== "") attributes["sentry.sdk.version"] = sdk.version;
  return { attributes, resource, release, environment, service, language, sdk, scopeName };
}

/** The origin is among the attributes of each span and log: nothing has to be inherited. */
export const NOTHING_TOGETHER: SentTogether = {
  traceId: null,
  release: null,
  environment: null,
  sampleRate: null,
  segment: null,
  sdkName: null,
  sdkVersion: null,
};

/** The request as if it had come in an envelope of the SDK that the resource names. */
export function asSentBy(item: ArrivedItem, { sdk }: Origin): ArrivedItem {
  return sdk === null ? item : { ...item, envelopeHeader: { ...item.envelopeHeader, sdk } };
}
