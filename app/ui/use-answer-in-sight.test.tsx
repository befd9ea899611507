import { act, fireEvent, render, screen } from "@testing-library/react";
import { createMemoryRouter, Form, RouterProvider, useActionData } from "react-router";
import { beforeEach, expect, test, vi } from "vitest";
import { useAnswerInSight } from "./use-answer-in-sight.ts";

const scrollIntoView = vi.fn();

beforeEach(() => {
  scrollIntoView.mockClear();
  Element.prototype.scrollIntoView = scrollIntoView;
  Element.prototype.getClientRects = () => [{}] as unknown as DOMRectList;
  // Places the element above the window.
  Element.prototype.getBoundingClientRect = () => ({ top: -100, bottom: -80 }) as DOMRect;
});

function Page() {
  useAnswerInSight();
  const said = useActionData();
  return (
    <main id="main">
      {said && <p role="status">{said}</p>}
      <Form method="post">
        <button type="submit">Save</button>
      </Form>
      <button type="button">Go on</button>
    </main>
  );
}

/** A page whose form is answered when the returned function is called. */
async function openPage(): Promise<() => Promise<void>> {
  const answered = Promise.withResolvers<string>();
  const router = createMemoryRouter([{ path: "/", element: <Page />, action: () => answered.promise }]);
  render(<RouterProvider router={router} />);
  await act(async () => fireEvent.click(screen.getByRole("button", { name: "Save" })));
  return () => act(async () => answered.resolve("Saved."));
}

test("brings the answer of a form into sight", async () => {
  const answer = await openPage();
  expect(scrollIntoView).not.toHaveBeenCalled();
  await answer();
  expect(scrollIntoView.mock.contexts).toEqual([screen.getByRole("status")]);
});

test("leaves the page where it is while somebody presses something", async () => {
  const answer = await openPage();
  fireEvent.pointerDown(screen.getByRole("button", { name: "Go on" }));
  await answer();
  expect(scrollIntoView).not.toHaveBeenCalled();
});

test("a press that is over, or was called off, holds up nothing", async () => {
  const answer = await openPage();
  for (const end of [fireEvent.pointerUp, fireEvent.pointerCancel]) {
    fireEvent.pointerDown(screen.getByRole("button", { name: "Go on" }));
    end(screen.getByRole("button", { name: "Go on" }));
  }
  await answer();
  expect(scrollIntoView).toHaveBeenCalledTimes(1);
});

test("gives the focus to a field that was refused", async () => {
  function RefusingPage() {
    useAnswerInSight();
    const isRefused = useActionData() !== undefined;
    return (
      <main id="main">
        <Form method="post">
          <input aria-label="Name" />
          <input aria-label="Slug" aria-invalid={isRefused || undefined} />
          <button type="submit">Save</button>
        </Form>
      </main>
    );
  }
  const router = createMemoryRouter([{ path: "/", element: <RefusingPage />, action: () => "Refused." }]);
  render(<RouterProvider router={router} />);
  const button = screen.getByRole("button", { name: "Save" });
  button.focus();
  await act(async () => fireEvent.click(button));
  expect(document.activeElement).toBe(screen.getByRole("textbox", { name: "Slug" }));
});

test("gives the focus to the answer if what was pressed is gone", async () => {
  function EndingPage() {
    useAnswerInSight();
    const said = useActionData();
    return (
      <main id="main">
        <p role="status" aria-label="Of something else" />
        {said ? (
          <p role="status">{said}</p>
        ) : (
          <Form method="post">
            <button type="submit">Revoke</button>
          </Form>
        )}
      </main>
    );
  }
  const router = createMemoryRouter([{ path: "/", element: <EndingPage />, action: () => "It is revoked." }]);
  render(<RouterProvider router={router} />);
  const button = screen.getByRole("button", { name: "Revoke" });
  button.focus();
  await act(async () => fireEvent.click(button));
  expect(document.activeElement?.textContent).toBe("It is revoked.");
});
