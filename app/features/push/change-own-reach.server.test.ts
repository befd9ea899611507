import { expect, test } from "vitest";
import { startPushServer } from "../../../tests/support/push-server.ts";
import { testWorkspace } from "../../../tests/support/test-workspace.ts";
import type { Workspace } from "../../access/workspace.ts";
import { DEFAULT_REACH, MAX_PUSH_SUBSCRIPTIONS } from "../../domain/push/push-subscription.ts";
import type { User } from "../../domain/user.ts";
import { createSendPush } from "../../notifications/web-push/send-push.server.ts";
import { makePushKeys } from "../../notifications/web-push/vapid.server.ts";
import { createSqliteStateDatabase } from "../../stores/sqlite/sqlite-state-database.ts";
import { NOON, openStore } from "../../stores/state/contract/fixture.ts";
import { changeOwnReach } from "./change-own-reach.server.ts";

async function open({ allowsPrivate = true } = {}) {
  const service = await startPushServer();
  const state = await openStore(createSqliteStateDatabase);
  const account = { passwordHash: "-", role: "manager", teamIds: [], projectIds: [], at: NOON } as const;
  const ada = await state.people.createMember({ ...account, email: "ada@example.com", name: "Ada" });
  const eve = await state.people.createMember({ ...account, email: "eve@example.com", name: "Eve" });
  const keys = makePushKeys();
  const sendPush = createSendPush({
    getKeys: async () => keys,
    findSubject: async () => null,
    allowsPrivate,
    now: () => NOON,
  });
  const notifications = { allowsPrivate, sendPush, findBaseUrl: async () => null, createKey: () => "k".repeat(32) };
  const workspace = testWorkspace({ state, notifications: notifications as unknown as Workspace["notifications"] });
  return {
    service,
    push: state.push,
    ada,
    post: (fields: Record<string, string | readonly string[]>, id = ada) => {
      const form = new FormData();
      for (const [name, values] of Object.entries(fields))
        for (const value of [values].flat()) form.append(name, String(value));
      return changeOwnReach(workspace, { viewer: { id } as User, form, userAgent: "curl/8.1", now: NOON });
    },
    eve,
    async [Symbol.asyncDispose]() {
      await state[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
    },
  };
}

test("a browser is its person's alone: nobody else can test or remove it", async () => {
  await using opened = await open();
  const { post, service, push, ada, eve } = opened;
  const subscription = JSON.stringify(await service.subscribe("ada"));
  expect(await post({ intent: "push-subscribe", subscription })).toMatchObject({ ok: true });
  const [browser] = await push.listBrowsers(ada);
  expect(browser?.browser).toBe("curl");
  for (const intent of ["push-test", "push-remove"])
    expect(await post({ intent, browser: String(browser?.id) }, eve)).toMatchObject({ ok: false, status: 404 });
  expect(service.received).toEqual([]);
  expect(await post({ intent: "push-test", browser: String(browser?.id) })).toMatchObject({ ok: true });
  expect(service.received).toHaveLength(1);
  service.answers.status = 410;
  const gone = await post({ intent: "push-test", browser: String(browser?.id) });
  expect(gone).toMatchObject({ isBad: true, done: expect.stringContaining("was removed") });
  expect(await push.listBrowsers(ada)).toEqual([]);
});

test("a text that is no subscription is refused, and so is one browser too many", async () => {
  await using opened = await open();
  const { post, service } = opened;
  for (const subscription of ["", "{", "null", '{"endpoint":"https://push.example/1"}', "[".repeat(100_000)])
    expect(await post({ intent: "push-subscribe", subscription })).toMatchObject({ ok: false, status: 400 });
  for (let index = 0; index < MAX_PUSH_SUBSCRIPTIONS; index++)
    await post({ intent: "push-subscribe", subscription: JSON.stringify(await service.subscribe(`${index}`)) });
  expect(
    await post({ intent: "push-subscribe", subscription: JSON.stringify(await service.subscribe("more")) }),
  ).toMatchObject({ ok: false, status: 409, message: expect.stringContaining("10 browsers") });
  await using strict = await open({ allowsPrivate: false });
  expect(
    await strict.post({ intent: "push-subscribe", subscription: JSON.stringify(await service.subscribe("http")) }),
  ).toMatchObject({ ok: false, status: 400, message: expect.stringContaining("https") });
});

test("the zone of mails is saved with the boxes, and refused where there is none of that name", async () => {
  await using opened = await open();
  const { post, push, ada } = opened;
  await post({ intent: "reach", way: ["rules mail"], "mail-timezone": "Europe/Berlin" });
  expect((await push.getReach(ada)).timezone).toBe("Europe/Berlin");
  for (const zone of ["Moon/Base", "x".repeat(10_000)])
    expect(await post({ intent: "reach", "mail-timezone": zone })).toMatchObject({
      ok: false,
      status: 400,
      field: "mail-timezone",
    });
  expect((await push.getReach(ada)).timezone).toBe("Europe/Berlin");
});

test("the boxes say what comes which way, and other forms are left alone", async () => {
  await using opened = await open();
  const { post, push, ada } = opened;
  await post({ intent: "reach", way: ["rules browsers", "acts mail", "nonsense", "rules nonsense"] });
  expect(await push.getReach(ada)).toEqual({
    rules: { mail: false, browsers: true },
    acts: { mail: true, browsers: false },
    feedback: { mail: false, browsers: false },
  });
  expect(await post({ intent: "profile" })).toBeNull();
  expect(await post({ intent: "constructor" })).toBeNull();
  expect(await push.getReach(opened.eve)).toEqual(DEFAULT_REACH);
});

test("a browser that gets another address takes its own place, and never that of somebody else", async () => {
  await using opened = await open();
  const { post, service, push, ada, eve } = opened;
  const [first, second, third] = await Promise.all(["a", "b", "c"].map((name) => service.subscribe(name)));
  await post({ intent: "push-subscribe", subscription: JSON.stringify(first) });
  const [browser] = await push.listBrowsers(ada);
  const former = browser?.endpoint ?? "";
  const renew = (subscription: unknown, named: string, id?: number) =>
    post({ intent: "push-renew", former: named, subscription: JSON.stringify(subscription) }, id);
  expect(await renew(second, former, eve)).toMatchObject({ ok: false, status: 404 });
  expect(await push.listBrowsers(eve)).toEqual([]);
  expect(await renew(second, former)).toMatchObject({ ok: true });
  const renewed = await push.listBrowsers(ada);
  expect(renewed).toHaveLength(1);
  expect(renewed[0]?.endpoint).not.toBe(former);
  // The service had answered that the former one is gone, so that nobody knows it.
  expect(await renew(third, former)).toMatchObject({ ok: true });
  expect(await push.listBrowsers(ada)).toHaveLength(2);
  expect(await renew("no subscription", "")).toMatchObject({ ok: false, status: 400 });
});
