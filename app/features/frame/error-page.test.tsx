import { render, screen } from "@testing-library/react";
import { createRoutesStub, UNSAFE_ErrorResponseImpl as ErrorResponse } from "react-router";
import { expect, test } from "vitest";
import { ErrorPage } from "./error-page.tsx";

test.each([
  [404, "To Logs", "/logs"],
  [429, "Load it again", "/logs/old?q=pay"],
  [503, "Load it again", "/logs/old?q=pay"],
])("a page that is refused with %i leads on: %s", (status, name, href) => {
  const Component = () => <ErrorPage error={new ErrorResponse(status, "", null)} eventId={null} />;
  const Stub = createRoutesStub([{ path: "/logs/old", Component }]);
  render(<Stub initialEntries={["/logs/old?q=pay"]} />);
  expect(screen.getByRole("link", { name }).getAttribute("href")).toBe(href);
});
