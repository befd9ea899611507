import { expect, test } from "vitest";
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
      invitations: { createReset: () => afterAnswer("written") },
      notifications: {
        mailFrom: "culprit@example.com",
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
  { mailFrom: null, publicUrl: "https://culprit.example" },
  { mailFrom: "culprit@example.com", publicUrl: null },
])("no link is mailed without mail or without a configured address: %o", async ({ mailFrom, publicUrl }) => {
  const fail = () => Promise.reject(new Error("nothing is looked up or sent"));
  const asked = await askForReset(
    {
      people: { findCredentials: fail },
      invitations: { createReset: fail },
      notifications: { mailFrom, sendNote: fail },
      settings: { publicUrl },
    },
    { email: "ada@example.com", clientAddress: "192.0.2.1", now: 0 },
  );
  expect(asked).toMatchObject({ ok: false, retryAfterSeconds: null, message: expect.stringContaining("PUBLIC_URL") });
});
