import { act, fireEvent, render, screen } from "@testing-library/react";
import { createMemoryRouter, Form, Link, RouterProvider, useActionData } from "react-router";
import { beforeEach, expect, test, vi } from "vitest";
import { ButtonForm } from "./button-form.tsx";
import PopoverOverlay from "./popover-overlay.tsx";
import { SecretNotice } from "./secret-notice.tsx";

// The library needs this class of browsers to place the panel.
class NoObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}
beforeEach(() => {
  vi.stubGlobal("ResizeObserver", NoObserver);
  return () => vi.unstubAllGlobals();
});

function Page() {
  const secret = useActionData<string>();
  return (
    <>
      <PopoverOverlay label="More actions" trigger="More" triggerClassName="" align="start" shortcut={undefined}>
        <Link to="/here">Here</Link>
        <Link to="/elsewhere">Elsewhere</Link>
        <Form method="post">
          <input type="hidden" name="intent" value="save" />
          <input name="name" aria-label="Name" />
          <input name="isShared" type="checkbox" aria-label="Shared" />
          <button type="submit">Save</button>
        </Form>
      </PopoverOverlay>
      <ButtonForm name="intent" value="make">
        Make a link
      </ButtonForm>
      {secret && (
        <SecretNotice title="The link is made" label="Link" secret={secret}>
          It is shown once.
        </SecretNotice>
      )}
    </>
  );
}

/** The page with its panel, which opens when it is mounted. */
async function show() {
  const answer = Promise.withResolvers<string>();
  const routes = ["/here", "/elsewhere"].map((path) => ({ path, element: <Page />, action: () => answer.promise }));
  window.history.replaceState(null, "", "/here");
  render(<RouterProvider router={createMemoryRouter(routes, { initialEntries: ["/here"] })} />);
  return { answer: () => act(async () => answer.resolve("a-secret")) };
}

const panel = () => screen.queryByRole("dialog", { name: "More actions" });
const press = (name: string) => act(async () => fireEvent.click(screen.getByText(name)));

test("a panel that somebody opens while a form of the page is on its way stays open when it is answered", async () => {
  const { answer } = await show();
  await press("More");
  expect(panel()).toBeNull();
  await press("Make a link");
  await press("More");
  await answer();
  expect(screen.getByText("The link is made")).toBeDefined();
  expect(panel()).not.toBeNull();
  expect(panel()?.contains(document.activeElement)).toBe(true);
});

test("a new secret takes the focus where nothing is open", async () => {
  const { answer } = await show();
  await press("More");
  await press("Make a link");
  await answer();
  expect(document.activeElement?.textContent).toContain("The link is made");
});

test.each(["Here", "Elsewhere"])("a panel closes when a link inside has led %s", async (name) => {
  await show();
  expect(panel()).not.toBeNull();
  await press(name);
  expect(panel()).toBeNull();
});

test("a panel whose form was sent has what was typed when it is opened again, until the page changes", async () => {
  await show();
  const fields = () => [
    screen.getByLabelText<HTMLInputElement>("Name").value,
    screen.getByLabelText<HTMLInputElement>("Shared").checked,
  ];
  fireEvent.change(screen.getByLabelText("Name"), { target: { value: "Mine" } });
  fireEvent.click(screen.getByLabelText("Shared"));
  await press("Save");
  expect(panel()).toBeNull();
  await press("More");
  expect(fields()).toEqual(["Mine", true]);
  await press("Elsewhere");
  await press("More");
  expect(fields()).toEqual(["", false]);
});

test("the arrow keys go through the items of a panel, from its search field on", async () => {
  render(
    <RouterProvider
      router={createMemoryRouter([
        {
          path: "/",
          element: (
            <PopoverOverlay label="More actions" trigger="More" triggerClassName="" align="start" shortcut={undefined}>
              <input type="search" aria-label="Find" />
              {["First", "Second", "Third"].map((name) => (
                <button key={name} type="button" className="menu-item" disabled={name === "Second"}>
                  {name}
                </button>
              ))}
            </PopoverOverlay>
          ),
        },
      ])}
    />,
  );
  await act(async () => screen.getByRole("searchbox", { name: "Find" }).focus());
  const seen = ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp"].map((key) => {
    if (document.activeElement) fireEvent.keyDown(document.activeElement, { key });
    return document.activeElement?.textContent;
  });
  expect(seen).toEqual(["First", "Third", "Third", "First", "First"]);
});
