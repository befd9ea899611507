import { describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../time.ts";
import { findOnCall, listShifts, orderFrom, parseLocalTime, type Rota } from "./rota.ts";

const BERLIN = "Europe/Berlin";
const local = (text: string, zone = BERLIN) => parseLocalTime(text, zone) ?? 0;
const [ADA, GRACE, ALAN] = [1, 2, 3];
const everybody = () => true;
/** Mondays at nine, from Ada's week on. */
const ROTA: Rota = {
  memberIds: [ADA, GRACE, ALAN],
  handover: { weekday: 1, minute: 9 * 60, timezone: BERLIN },
  startsAt: local("2026-03-16T09:00"),
  overrides: [],
};
const at = (text: string, rota = ROTA, isThere: (id: number) => boolean = everybody) =>
  findOnCall(rota, local(text), isThere)?.userId ?? null;

describe("who is on call", () => {
  test("changes at the handover, in order, again and again", () => {
    expect(
      ["2026-03-16T09:00", "2026-03-23T08:59", "2026-03-23T09:00", "2026-03-30T09:00"].map((when) => at(when)),
    ).toEqual([ADA, ADA, GRACE, ALAN]);
    expect([at("2026-04-06T09:00"), at("2027-03-15T09:00"), at("2026-03-16T08:59"), at("2026-03-02T09:00")]).toEqual([
      ADA,
      GRACE,
      ALAN,
      GRACE,
    ]);
  });

  test("changes at nine by the clock of the zone, before and after summer time begins and ends", () => {
    // 29 March 2026 begins summer time, 25 October ends it.
    const handovers = listShifts(ROTA, { from: local("2026-03-20T00:00"), count: 3, isThere: everybody });
    expect(handovers.map(({ to }) => new Date(to).toISOString())).toEqual([
      "2026-03-23T08:00:00.000Z",
      "2026-03-30T07:00:00.000Z",
      "2026-04-06T07:00:00.000Z",
    ]);
    expect(handovers.map(({ userId }) => userId)).toEqual([ADA, GRACE, ALAN]);
    expect([at("2026-10-26T08:59"), at("2026-10-26T09:00")]).toEqual([GRACE, ALAN]);
  });

  test("changes when the clock has gone on, where it skips the time of the handover", () => {
    const sundays: Rota = {
      ...ROTA,
      handover: { weekday: 7, minute: 150, timezone: BERLIN },
      startsAt: local("2026-03-22T02:30"),
    };
    const skipped = Date.UTC(2026, 2, 29, 1);
    expect(findOnCall(sundays, skipped - 1, everybody)?.userId).toBe(ADA);
    expect(findOnCall(sundays, skipped + HOUR_MS, everybody)?.userId).toBe(GRACE);
    expect(at("2026-04-05T02:30", sundays)).toBe(ALAN);
  });

  test("is whom an override names while it lasts; of two the later one", () => {
    const rota: Rota = {
      ...ROTA,
      overrides: [
        { userId: ALAN, from: local("2026-03-17T18:00"), to: local("2026-03-18T08:00") },
        { userId: GRACE, from: local("2026-03-18T00:00"), to: local("2026-03-18T01:00") },
      ],
    };
    expect(
      ["2026-03-17T17:59", "2026-03-17T18:00", "2026-03-18T00:30", "2026-03-18T07:59", "2026-03-18T08:00"].map((when) =>
        at(when, rota),
      ),
    ).toEqual([ADA, ALAN, GRACE, ALAN, ADA]);
    const shifts = listShifts(rota, { from: local("2026-03-17T12:00"), count: 5, isThere: everybody });
    expect(shifts.map(({ userId, isOverride }) => [userId, isOverride])).toEqual([
      [ADA, false],
      [ALAN, true],
      [GRACE, true],
      [ALAN, true],
      [ADA, false],
    ]);
    expect(shifts[4]?.to).toBe(local("2026-03-23T09:00"));
  });

  test("passes over who has left the team, also in an override; nobody is left: nobody", () => {
    const override = { userId: ALAN, from: local("2026-03-17T00:00"), to: local("2026-03-18T00:00") };
    expect(at("2026-03-17T12:00", { ...ROTA, overrides: [override] }, (id) => id !== ALAN)).toBe(ADA);
    expect(at("2026-03-24T12:00", ROTA, (id) => id !== GRACE)).toBe(ALAN);
    expect(at("2026-03-24T12:00", ROTA, () => false)).toBeNull();
    expect(listShifts(ROTA, { from: ROTA.startsAt, count: 3, isThere: () => false })).toEqual([]);
  });

  test("is one shift where a member follows themselves", () => {
    const [shift, second] = listShifts(
      { ...ROTA, memberIds: [ADA] },
      { from: ROTA.startsAt, count: 1, isThere: everybody },
    );
    expect(second).toBeUndefined();
    expect((shift?.to ?? 0) - ROTA.startsAt).toBeGreaterThan(365 * DAY_MS);
  });
});

test("the order begins with whose week it is, whatever overrides say", () => {
  const override = { userId: ALAN, from: local("2026-03-24T00:00"), to: local("2026-03-25T00:00") };
  expect(orderFrom({ ...ROTA, overrides: [override] }, local("2026-03-24T12:00"))).toEqual([GRACE, ALAN, ADA]);
});

test("a local time is read in its zone", () => {
  expect(parseLocalTime("2026-07-01T09:00", BERLIN)).toBe(Date.UTC(2026, 6, 1, 7));
  expect(parseLocalTime("2026-12-01T09:00", BERLIN)).toBe(Date.UTC(2026, 11, 1, 8));
  expect(["", "tomorrow", "2026-13-01T09:00", "2026-07-01 09:00"].map((text) => parseLocalTime(text, BERLIN))).toEqual([
    null,
    null,
    null,
    null,
  ]);
});
