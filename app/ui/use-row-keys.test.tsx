import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, test } from "vitest";
import { useRowKeys } from "./use-row-keys.ts";

function Rows({ onOpen }: { onOpen: (name: string) => void }) {
  useRowKeys("li");
  return (
    <ul>
      {["one", "two"].map((name) => (
        <li key={name}>
          <a href={`#${name}`} onClick={() => onOpen(name)}>
            {name}
          </a>
          <a href="#more">more of {name}</a>
        </li>
      ))}
    </ul>
  );
}

test("keys go from row to row by their first links, and open the one that has the focus", () => {
  const opened: string[] = [];
  const rows = <Rows onOpen={(name) => opened.push(name)} />;
  render(<RouterProvider router={createMemoryRouter([{ path: "/", element: rows }])} />);
  const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });
  press("o");
  expect(opened).toEqual([]);
  press("j");
  expect(document.activeElement).toBe(screen.getByText("one"));
  press("j");
  press("j");
  expect(document.activeElement).toBe(screen.getByText("two"));
  press("o");
  expect(opened).toEqual(["two"]);
  screen.getByText("more of two").focus();
  press("k");
  expect(document.activeElement).toBe(screen.getByText("one"));
});

test("who goes back to the rows is at the one that was left", async () => {
  const router = createMemoryRouter([
    { path: "/", element: <Rows onOpen={() => undefined} /> },
    { path: "/one", element: <p>One</p> },
  ]);
  render(<RouterProvider router={router} />);
  screen.getByText("two").focus();
  await act(() => router.navigate("/one"));
  expect(document.activeElement).toBe(document.body);
  await act(() => router.navigate(-1));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByText("two")));
  // A link to the same page begins at the top of the page.
  await act(() => router.navigate("/one"));
  await act(() => router.navigate("/"));
  expect(document.activeElement).toBe(document.body);
});
