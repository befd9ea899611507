import { fireEvent, render, screen } from "@testing-library/react";
import { useRef } from "react";
import { createRoutesStub, Outlet } from "react-router";
import { expect, test } from "vitest";
import { useFeedbackKeys } from "./use-feedback-keys.ts";

function Inbox() {
  const form = useRef<HTMLFormElement>(null);
  useFeedbackKeys({ form, here: "/feedback", openId: null });
  return (
    <form ref={form}>
      {["4", "3", "2", "1"].map((id) => (
        <div key={id} data-feedback={id}>
          <input type="checkbox" name="feedback" value={id} aria-label={`Select ${id}`} />
          <a href={`/feedback/${id}`}>Message {id}</a>
        </div>
      ))}
    </form>
  );
}

async function renderInbox() {
  const Stub = createRoutesStub([
    {
      id: "routes/app-layout",
      path: "/",
      loader: () => ({ rights: ["event:write"] }),
      HydrateFallback: () => null,
      Component: Outlet,
      children: [{ path: "feedback", action: () => null, Component: Inbox }],
    },
  ]);
  render(<Stub initialEntries={["/feedback"]} />);
  await screen.findByText("Message 4");
}

test.each([
  { selected: ["4", "3"], at: "3", next: "Message 2" },
  { selected: ["3", "2", "1"], at: "1", next: "Message 4" },
  { selected: [], at: "2", next: "Message 1" },
])("after $selected are resolved at $at, one is at $next", async ({ selected, at, next }) => {
  await renderInbox();
  for (const id of selected) fireEvent.click(screen.getByLabelText(`Select ${id}`));
  screen.getByText(`Message ${at}`).focus();
  fireEvent.keyDown(document.activeElement ?? document.body, { key: "e" });
  expect(document.activeElement?.textContent).toBe(next);
});
