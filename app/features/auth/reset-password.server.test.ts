import { expect, test } from "vitest";
import { createAfterAnswer } from "../../notifications/create-after-answer.server.ts";
import { askForReset } from "./reset-password.server.ts";

test("the answer waits for nothing that tells whether a member has the address", async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const { promise: mailed, resolve: mail } = Promise.withResolvers<string>();
  const done: string[] = [];
  const afterAnswer = async (what: string) => {
    done.push(what);
    await answered;
  };
  const asked = await askForReset(
    {
      people: {
        async findCredentials() {
          await afterAnswer("looked up");
          return { userId: 1, passwordHash: "a hash" };
        },
      },
      invitations: { createReset: () => afterAnswer("written").then(() => true) },
      notifications: {
        mailFrom: "culprit@example.com",
        sendsNothing: false,
        afterAnswer: createAfterAnswer({ maxPauseMs: 1 }).afterAnswer,
        async sendNote(address) {
          mail(address);
          return { ok: true, answer: "250" };
        },
      },
      settings: { publicUrl: "https://culprit.example" },
    },
    { email: "Ada@example.com", clientAddress: "192.0.2.2", now: 0 },
  );
  expect([asked, done]).toEqual([{ ok: true }, []]);
  answer();
  expect(await mailed).toBe("ada@example.com");
  expect(done).toEqual(["looked up", "written"]);
});

test.each([
  { mailFrom: null, sendsNothing: false, publicUrl: "https://culprit.example", why: "PUBLIC_URL" },
  { mailFrom: "culprit@example.com", sendsNothing: false, publicUrl: null, why: "PUBLIC_URL" },
  {
    mailFrom: null,
    sendsNothing: true,
    publicUrl: "https://culprit.example",
    why: "it was started with SEND_NOTHING=1",
  },
])(
  "no link is mailed without mail or without a configured address: %o",
  async ({ mailFrom, sendsNothing, publicUrl, why }) => {
    const fail = () => Promise.reject(new Error("nothing is looked up or sent"));
    const asked = await askForReset(
      {
        people: { findCredentials: fail },
        invitations: { createReset: fail },
        notifications: { mailFrom, sendsNothing, sendNote: fail, afterAnswer: fail },
        settings: { publicUrl },
      },
      { email: "ada@example.com", clientAddress: "192.0.2.1", now: 0 },
    );
    expect(asked).toMatchObject({ ok: false, retryAfterSeconds: null, message: expect.stringContaining(why) });
  },
);

test("no link is mailed to an address that the member has not any more when it is made", async () => {
  const made: unknown[] = [];
  const { promise: looked, resolve } = Promise.withResolvers<void>();
  const asked = await askForReset(
    {
      people: { findCredentials: async () => ({ userId: 1, passwordHash: "a hash" }) },
      invitations: {
        async createReset({ mailedTo }) {
          made.push(mailedTo);
          return false;
        },
      },
      notifications: {
        mailFrom: "culprit@example.com",
        sendsNothing: false,
        afterAnswer: (work) => void work().then(resolve),
        sendNote: () => Promise.reject(new Error("nothing is mailed")),
      },
      settings: { publicUrl: "https://culprit.example" },
    },
    { email: "former@example.com", clientAddress: "192.0.2.4", now: 0 },
  );
  await looked;
  expect([asked, made]).toEqual([{ ok: true }, ["former@example.com"]]);
});
