import { act, render, screen } from "@testing-library/react";
import { createMemoryRouter, Link, RouterProvider } from "react-router";
import { expect, onTestFinished, test } from "vitest";
import { useComingParams } from "./use-coming-params.ts";

test("links add to what was pressed before the server has answered, and not to what another page was asked", async () => {
  const answers: Array<() => void> = [];
  const loader = ({ request: { url } }: { request: Request }) =>
    URL.parse(url)?.search ? new Promise<null>((resolve) => answers.push(() => resolve(null))) : null;
  const Component = () => {
    const params = useComingParams();
    return (
      <>
        {["error", "warning"].map((value) => (
          <Link key={value} to={`?${new URLSearchParams([...params, ["severity", value]])}`}>
            {value}
          </Link>
        ))}
        <Link to="/traces?q=db">Traces</Link>
      </>
    );
  };
  const router = createMemoryRouter(
    [
      { path: "/logs", loader, Component, HydrateFallback: () => null },
      { path: "/traces", loader, Component: () => null },
    ],
    { initialEntries: ["/logs"] },
  );
  onTestFinished(() => router.dispose());
  render(<RouterProvider router={router} />);
  await screen.findByText("error");
  const press = (name: string) => act(async () => screen.getByText(name).click());
  await press("error");
  await press("warning");
  await act(async () => answers.at(-1)?.());
  expect(router.state.location.search).toBe("?severity=error&severity=warning");
  await press("Traces");
  expect(screen.getByText("error").getAttribute("href")).toBe("/logs?severity=error&severity=warning&severity=error");
});
