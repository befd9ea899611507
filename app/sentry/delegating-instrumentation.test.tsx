import { type ClientInstrumentation, createMemoryRouter } from "react-router";
import { expect, test } from "vitest";
import { createDelegatingInstrumentation } from "./delegating-instrumentation.ts";

test("lets everything run before there is an instrumentation, and shows it every call from then on", async () => {
  let attached: ClientInstrumentation | null = null;
  const seen: string[] = [];
  const router = createMemoryRouter(
    [
      { path: "/", loader: () => null },
      { path: "/a", id: "a", loader: () => "loaded" },
    ],
    { instrumentations: [createDelegatingInstrumentation(() => attached)] },
  );
  router.initialize();
  await router.navigate("/a");
  expect(router.state.loaderData).toEqual({ a: "loaded" });

  attached = {
    router: ({ instrument }) =>
      instrument({
        async navigate(call, { to }) {
          seen.push(`navigate ${to}`);
          await call();
        },
      }),
    route: ({ id, instrument }) =>
      instrument({
        async loader(call) {
          const { status } = await call();
          seen.push(`loader ${id} ${status}`);
        },
      }),
  };
  await router.navigate("/");
  await router.navigate("/a");
  expect(seen).toEqual(["navigate /", expect.stringContaining("loader "), "navigate /a", "loader a success"]);
});
