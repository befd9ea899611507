import { fireEvent, render, screen } from "@testing-library/react";
import { renderToString } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test, vi } from "vitest";
import { Menu } from "./menu.tsx";
import type { MenuItem } from "./menu-item.ts";

const items: MenuItem[] = [
  { kind: "link", to: "/settings", label: "Account" },
  { kind: "submit", action: "/sign-out", fields: { why: "menu" }, label: "Sign out" },
];

test("before script has loaded it is a list of links and forms that opens by itself", () => {
  const Stub = createRoutesStub([{ path: "/", Component: () => <Menu trigger="More" items={items} /> }]);
  const html = renderToString(<Stub />);
  expect(html).toContain("<details");
  expect(html).toContain('href="/settings"');
  expect(html).toMatch(
    /<form[^>]*method="post"[^>]*action="\/sign-out"|<form[^>]*action="\/sign-out"[^>]*method="post"/,
  );
  expect(html).toContain('name="why" value="menu"');
});

test("pressed, it becomes a menu whose items are found by role, and posts what its item says", async () => {
  const action = vi.fn(async ({ request }: { request: Request }) => {
    expect(await request.text()).toBe("why=menu");
    return null;
  });
  const Stub = createRoutesStub([
    { path: "/", Component: () => <Menu trigger="More" items={items} /> },
    { path: "/sign-out", action, Component: () => <p>gone</p> },
  ]);
  render(<Stub />);
  fireEvent.click(screen.getByText("More"));
  const item = await screen.findByRole("menuitem", { name: "Sign out" }, { timeout: 10_000 });
  fireEvent.click(item);
  await screen.findByText("gone");
  expect(action).toHaveBeenCalledTimes(1);
});
