import type { LogRow } from "./logs.ts";
import { readIds, readNumbers, readTexts, type TableRows } from "./rows.ts";

/** The rows of a batch of logs, as they were before they were put into columns. */
export function decodeLogRows(rows: TableRows): LogRow[] {
  const [sequences, projects, received, occurred, severities] = [
    readNumbers(rows, "sequence"),
    readNumbers(rows, "project_id"),
    readNumbers(rows, "received_at"),
    readNumbers(rows, "occurred_us"),
    readNumbers(rows, "severity"),
  ];
  const [traces, spans, shifts, tieBreakers] = [
    readIds(rows, "trace_id"),
    readIds(rows, "span_id"),
    readIds(rows, "shift_us"),
    readIds(rows, "tie_breaker"),
  ];
  const [levels, bodies, templates, origins, loggers, releases, environments, services] = [
    readTexts(rows, "level"),
    readTexts(rows, "body"),
    readTexts(rows, "template"),
    readTexts(rows, "origin"),
    readTexts(rows, "logger"),
    readTexts(rows, "release"),
    readTexts(rows, "environment"),
    readTexts(rows, "service"),
  ];
  const [addresses, users, replays, sdkNames, sdkVersions, attributes, rests, resources] = [
    readTexts(rows, "server_address"),
    readTexts(rows, "user_id"),
    readTexts(rows, "replay_id"),
    readTexts(rows, "sdk_name"),
    readTexts(rows, "sdk_version"),
    readTexts(rows, "attributes"),
    readTexts(rows, "rest"),
    readTexts(rows, "resource"),
  ];
  return Array.from(
    { length: rows.count },
    (_, row): LogRow => ({
      sequence: Number(sequences[row]),
      projectId: Number(projects[row]),
      receivedAt: Number(received[row]),
      traceId: traces[row] || null,
      spanId: spans[row] || null,
      occurredUs: Number(occurred[row]),
      shiftUs: toNumber(shifts[row]),
      tieBreaker: toNumber(tieBreakers[row]),
      level: levels[row] ?? null,
      severity: Number(severities[row]),
      body: bodies[row] ?? "",
      template: templates[row] ?? null,
      origin: origins[row] ?? null,
      logger: loggers[row] ?? null,
      release: releases[row] ?? null,
      environment: environments[row] ?? null,
      service: services[row] ?? null,
      serverAddress: addresses[row] ?? null,
      userId: users[row] ?? null,
      replayId: replays[row] ?? null,
      sdkName: sdkNames[row] ?? null,
      sdkVersion: sdkVersions[row] ?? null,
      attributes: attributes[row] ?? null,
      rest: rests[row] ?? null,
      resource: resources[row] ?? null,
    }),
  );
}

function toNumber(cell: string | undefined): number | null {
  return cell === undefined || cell === "" ? null : Number(cell);
}
