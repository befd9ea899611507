import { act, render } from "@testing-library/react";
import { createMemoryRouter, RouterProvider, useLoaderData } from "react-router";
import { expect, test } from "vitest";
import { useRevalidation } from "./use-revalidation.ts";

test("what is asked for while the page is being read is read once, afterwards, and nothing is given up for it", async () => {
  const readings: Array<{ signal: AbortSignal; finish: (data: string) => void }> = [];
  let ask = () => {};
  function Page() {
    ask = useRevalidation();
    return <p>{useLoaderData<string>()}</p>;
  }
  const router = createMemoryRouter(
    [
      {
        path: "/",
        element: <Page />,
        loader: ({ request }) =>
          new Promise<string>((finish) => {
            readings.push({ signal: request.signal, finish });
          }),
      },
    ],
    { hydrationData: { loaderData: { "0": "at first" } } },
  );
  const { container } = render(<RouterProvider router={router} />);
  await act(async () => ask());
  expect(readings).toHaveLength(1);
  await act(async () => {
    ask();
    ask();
  });
  expect(readings).toHaveLength(1);
  expect(readings[0]?.signal.aborted).toBe(false);
  await act(async () => readings[0]?.finish("then"));
  expect(container.textContent).toBe("then");
  expect(readings).toHaveLength(2);
  await act(async () => readings[1]?.finish("at last"));
  expect(container.textContent).toBe("at last");
  expect(readings).toHaveLength(2);
});
