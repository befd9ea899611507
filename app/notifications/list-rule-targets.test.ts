import { expect, test } from "vitest";
import { readChannelAddress } from "../domain/channels/channel-place.ts";
import type { Member } from "../domain/people/member.ts";
import { parseLocalTime } from "../domain/people/rota.ts";
import type { Team } from "../domain/people/team.ts";
import { DEFAULT_REACH } from "../domain/push/push-subscription.ts";
import { listRuleTargets, type Receivers } from "./list-rule-targets.ts";

const at = (text: string) => parseLocalTime(text, "UTC") ?? 0;
const member = (userId: number): Member => ({
  userId,
  email: `${userId}@example.com`,
  name: `${userId}`,
  role: "member",
  joinedAt: 0,
  removedAt: null,
  seenAt: null,
  hasSecondFactor: false,
  hasPasskey: false,
  providers: [],
  teamIds: [3],
  projectIds: [],
});
const TEAM: Team = {
  id: 3,
  slug: "shop",
  name: "Shop",
  hasAllProjects: false,
  projectIds: [1],
  memberIds: [1, 2],
  rota: {
    memberIds: [1, 2, 9],
    handover: { weekday: 1, minute: 540, timezone: "UTC" },
    startsAt: at("2026-03-16T09:00"),
    overrides: [{ userId: 2, from: at("2026-03-18T00:00"), to: at("2026-03-19T00:00") }],
  },
  createdAt: 0,
};

function tell(when: string, change: Partial<Receivers> = {}): string[] {
  const receivers: Receivers = {
    projectId: 1,
    members: [member(1), member(2), member(9)],
    teams: [TEAM],
    channels: [],
    settings: { emails: [], channelIds: [] },
    ownerEmail: null,
    reach: new Map(),
    isMailSetUp: true,
    ...change,
  };
  const about = { assignee: null, owner: null, at: at(when) };
  return listRuleTargets([{ kind: "on-call", id: 3 }], receivers, about).map(({ address }) => address);
}

test("a person is told in the ways that they chose, and without mail in their browsers alone", () => {
  const reach = new Map([[1, { reach: DEFAULT_REACH, browserIds: [4, 5] }]]);
  expect(tell("2026-03-17T12:00", { reach })).toEqual(["1", "1/4", "1/5"]);
  expect(tell("2026-03-17T12:00", { reach, isMailSetUp: false })).toEqual(["1/4", "1/5"]);
  const chosen = { ...DEFAULT_REACH, rules: { mail: false, browsers: false } };
  expect(tell("2026-03-17T12:00", { reach: new Map([[1, { reach: chosen, browserIds: [4] }]]) })).toEqual([]);
  // What reaches them of the acts of people does not matter here.
  const acts = { ...DEFAULT_REACH, acts: { mail: false, browsers: false } };
  expect(tell("2026-03-17T12:00", { reach: new Map([[1, { reach: acts, browserIds: [4] }]]) })).toEqual(["1", "1/4"]);
});

test("a channel is told in the place that the rule names, apart from its own", () => {
  const receivers: Receivers = {
    ...{ projectId: 1, members: [], teams: [], ownerEmail: null, reach: new Map(), isMailSetUp: true },
    channels: [{ id: 5, name: "#errors", projectIds: null }],
    settings: { emails: [], channelIds: [5] },
  };
  const tellBy = (actions: Parameters<typeof listRuleTargets>[0]) =>
    listRuleTargets(actions, receivers, { assignee: null, owner: null, at: 0 }).map(({ address }) => address);
  expect(tellBy([{ kind: "channel", id: 5, place: "#payments" }])).toEqual(["5 #payments"]);
  expect(tellBy([{ kind: "channel", id: 5, place: "#payments" }, { kind: "recipients" }])).toEqual([
    "5 #payments",
    "5",
  ]);
  expect(tellBy([{ kind: "channel", id: 5 }, { kind: "recipients" }])).toEqual(["5"]);
  expect(readChannelAddress("5 #payments")).toEqual({ channelId: 5, place: "#payments" });
});

test("the member who is on call when the rule tells is told, by order and by override", () => {
  expect([tell("2026-03-17T12:00"), tell("2026-03-18T12:00"), tell("2026-03-24T12:00")]).toEqual([["1"], ["2"], ["2"]]);
});

test("who does not see the project is passed over, and without anybody on call the whole team is told", () => {
  // The third of the order is not in the team.
  expect(tell("2026-03-31T12:00")).toEqual(["1"]);
  expect(tell("2026-03-17T12:00", { members: [member(2)] })).toEqual(["2"]);
  expect(tell("2026-03-17T12:00", { teams: [{ ...TEAM, rota: null }] })).toEqual(["1", "2"]);
  expect(tell("2026-03-17T12:00", { teams: [] })).toEqual([]);
});
