import { act, fireEvent, render, screen } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AssigneeList } from "./assignee-list.tsx";
import { SuggestedAssignees } from "./suggested-assignees.tsx";

const BOB = { kind: "user", id: 2, name: "Bob" } as const;
let answer = () => {};
beforeEach(() => {
  const answered = new Promise<Response>((done) => {
    answer = () => done(Response.json([{ assignee: BOB, why: "wrote the last comment" }]));
  });
  vi.stubGlobal("fetch", () => answered);
});
afterEach(() => vi.unstubAllGlobals());

async function openPanel() {
  const button = (value: string) => ({ name: "to", value });
  const element = (
    <div>
      <SuggestedAssignees issueIds="1,2" button={button} />
      <AssigneeList assignees={[BOB]} button={button} />
    </div>
  );
  render(<RouterProvider router={createMemoryRouter([{ path: "/", element }])} />);
  const field = screen.getByRole("searchbox", { name: "Find people and teams" });
  await act(async () => field.focus());
  return field;
}

test("a suggestion takes the focus of a field in which nothing is written, and a letter brings it back", async () => {
  const field = await openPanel();
  await act(async () => answer());
  const suggestion = screen.getByRole("button", { name: /wrote the last comment/ });
  expect(document.activeElement).toBe(suggestion);
  fireEvent.keyDown(suggestion, { key: "Enter" });
  fireEvent.keyDown(suggestion, { key: "a", ctrlKey: true });
  expect(document.activeElement).toBe(suggestion);
  fireEvent.keyDown(suggestion, { key: "a" });
  expect(document.activeElement).toBe(field);
});

test("a suggestion that comes late leaves the field to whom is writing", async () => {
  const field = await openPanel();
  fireEvent.change(field, { target: { value: "gra" } });
  await act(async () => answer());
  expect(document.activeElement).toBe(field);
});
