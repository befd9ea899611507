import { describe, expect, test } from "vitest";
import { readCheckIn, toMonitorSlug } from "./read-check-in.ts";

test.each([
  ["nightly", "nightly"],
  [" Nightly Backup! ", "nightly-backup"],
  ["db_dump.v2", "db_dump-v2"],
  ["ночной отчёт", "ночной-отчёт"],
  ["a".repeat(80), "a".repeat(50)],
  [`${"a".repeat(49)}😀`, "a".repeat(49)],
  ["--x--", "x"],
  ["!!!", ""],
  ["", ""],
  [7, ""],
  [null, ""],
])("the slug of %j is %j", (value, slug) => {
  expect(toMonitorSlug(value)).toBe(slug);
});

describe("a check-in", () => {
  const read = (change: object) => readCheckIn({ monitor_slug: "nightly", status: "ok", ...change });

  test("says which monitor, where and how", () => {
    expect(read({})).toEqual({
      slug: "nightly",
      environment: "production",
      status: "ok",
      config: null,
      checkInId: null,
      durationMs: null,
      release: null,
      traceId: null,
      exitStatus: null,
      output: null,
    });
    const id = "0123456789abcdef0123456789abcdef";
    expect(
      read({
        check_in_id: id.toUpperCase(),
        duration: 1.5,
        release: "shop@1",
        contexts: { trace: { trace_id: id } },
        exit_status: 137,
        output: "killed\n",
      }),
    ).toMatchObject({
      checkInId: id,
      durationMs: 1500,
      release: "shop@1",
      traceId: id,
      exitStatus: 137,
      output: "killed",
    });
    expect(read({ check_in_id: "0".repeat(32), duration: -1, exit_status: 1.5, output: " " })).toMatchObject({
      checkInId: null,
      durationMs: null,
      exitStatus: null,
      output: null,
    });
    expect(read({ environment: "staging", status: "in_progress" })).toMatchObject({
      environment: "staging",
      status: "in_progress",
    });
    for (const environment of ["a/b", "x".repeat(65), "none", " ", {}])
      expect(read({ environment })?.environment).toBe("production");
    for (const status of ["missed", "timeout", "done", 1, undefined]) expect(read({ status })?.status).toBe("unknown");
    for (const value of [null, [], "x", {}, { monitor_slug: "!" }]) expect(readCheckIn(value)).toBeNull();
  });

  test("keeps the end of a long output, in whole characters", () => {
    const output = read({ output: `start${"ü".repeat(8000)}end` })?.output ?? "";
    expect(Buffer.byteLength(output)).toBeLessThanOrEqual(10_240);
    expect(Buffer.byteLength(output)).toBeGreaterThan(10_200);
    expect(output).toMatch(/^ü+end$/);
  });

  test.each([
    ["0 */5 * * * *", "*/5 * * * *"],
    ["* * * * * *", "* * * * *"],
    ["*/10 0 2 * * MON-FRI", "0 2 * * MON-FRI"],
    ["0 2 * * *", "0 2 * * *"],
    ["@daily", "@daily"],
  ])("the crontab %s is read as %s, without seconds", (value, text) => {
    const config = read({ monitor_config: { schedule: { type: "crontab", value } } })?.config;
    expect(config?.schedule).toEqual({ type: "crontab", value: text });
  });

  test("carries the monitor's configuration", () => {
    const crontab = { type: "crontab", value: " 0 3 * * * " };
    expect(read({ monitor_config: { schedule: crontab } })?.config).toEqual({
      schedule: { type: "crontab", value: "0 3 * * *" },
      checkinMargin: null,
      maxRuntime: null,
      timezone: null,
      failureIssueThreshold: null,
      recoveryThreshold: null,
    });
    const interval = { type: "interval", value: 2, unit: "hour" };
    const rest = { checkin_margin: 0, max_runtime: 40_320, timezone: "Europe/Berlin", failure_issue_threshold: 720 };
    expect(
      read({ monitor_config: { schedule: interval, ...rest, recovery_threshold: 1, owner: "team:1" } })?.config,
    ).toEqual({
      schedule: interval,
      checkinMargin: 0,
      maxRuntime: 40_320,
      timezone: "Europe/Berlin",
      failureIssueThreshold: 720,
      recoveryThreshold: 1,
      owner: "team:1",
    });
  });

  test.each([
    null,
    "x",
    {},
    { schedule: null },
    { schedule: { type: "crontab", value: " " } },
    { schedule: { type: "crontab", value: "x".repeat(201) } },
    { schedule: { type: "interval", value: 0, unit: "hour" } },
    { schedule: { type: "interval", value: 1.5, unit: "hour" } },
    { schedule: { type: "interval", value: 1, unit: "second" } },
    { schedule: { type: "crontab", value: "61 * * * *" } },
    { schedule: { type: "crontab", value: "0 12 * * ? *" } },
    { schedule: { type: "crontab", value: "0 0 12 * * * 2027" } },
    { schedule: { type: "crontab", value: "@daily" }, timezone: "Mars/Phobos" },
    { schedule: { type: "crontab", value: "@daily" }, checkin_margin: 40_321 },
    { schedule: { type: "crontab", value: "@daily" }, max_runtime: "30" },
    { schedule: { type: "crontab", value: "@daily" }, recovery_threshold: 0 },
  ])("has no configuration in %j", (monitor_config) => {
    expect(read({ monitor_config })?.config).toBeNull();
  });
});
