import { expect, test } from "vitest";
import { askForReset } from "./reset-password.server.ts";

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
