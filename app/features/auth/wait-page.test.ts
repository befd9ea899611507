import { expect, test } from "vitest";
import { answerWithWaitPage } from "./wait-page.ts";

/** The page that answers a form with these fields. */
function answer(path: string, fields: Record<string, string> | null): Promise<string> {
  const typed = fields && new FormData();
  for (const [name, value] of Object.entries(fields ?? {})) typed?.set(name, value);
  const url = `http://localhost${path}`;
  return answerWithWaitPage({ message: "Wait.", url, typed, headers: new Headers() }).text();
}

test("what was typed can be sent again, and passwords are asked for again", async () => {
  const page = await answer("/set-up", {
    code: "ABCD-1234",
    name: "Ada <Ada>",
    email: 'ada"@example.com',
    password: "correct horse battery",
    project: "Web shop",
    platform: "node",
  });
  expect(page).toContain('<form method="post" action="/set-up">');
  expect(page).toContain('name="code" autocomplete="off" spellcheck="false" maxlength="64" value="ABCD-1234" required');
  expect(page).toContain('value="Ada &lt;Ada&gt;"');
  expect(page).toContain('value="ada&quot;@example.com"');
  expect(page).toContain('value="Web shop"');
  expect(page).toContain('name="platform" type="hidden" maxlength="64" value="node"');
  expect(page).toContain('name="password" type="password" autocomplete="new-password" required');
  expect(page).not.toContain("correct horse");
});

test("the form has the fields that were sent, those that it knows, no longer than they may be", async () => {
  const page = await answer("/sign-in?to=%2Fissues", { email: "x".repeat(4_000), password: "secret", intent: "other" });
  expect(page).toContain('action="/sign-in?to=%2Fissues"');
  expect(page).toContain('autocomplete="current-password"');
  expect(page).not.toContain("other");
  expect(page).not.toContain('name="code"');
  expect(page).toContain(`value="${"x".repeat(254)}"`);
});

test("a request without a form gets a link", async () => {
  expect(await answer("/sign-in/with/1", null)).toContain('<a href="/sign-in/with/1">Try again</a>');
});
