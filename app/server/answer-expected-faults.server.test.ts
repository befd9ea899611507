import { expect, test } from "vitest";
import { answerExpectedFaults } from "./answer-expected-faults.server.ts";

/** What a loader gives the router that fails with this, for a request that may have been left. */
async function load(fault: (reason: unknown) => unknown, { isLeft }: { isLeft: boolean }): Promise<unknown> {
  const sender = new AbortController();
  const request = new Request("http://culprit.test/", { signal: sender.signal });
  if (isLeft) sender.abort();
  const loader = () => Promise.reject(fault(request.signal.reason));
  const route = { id: "page", path: "/", module: { default: null, loader } };
  const { routes } = answerExpectedFaults({ routes: { page: route } } as never) as {
    routes: { page: { module: { loader(args: { request: Request }): Promise<unknown> } } };
  };
  return await routes.page.module.loader({ request }).catch((error: unknown) => error);
}

test("what was called off because the sender left is an answer that nobody reads", async () => {
  for (const fault of [(reason: unknown) => reason, () => new DOMException("called off", "AbortError")])
    expect(await load(fault, { isLeft: true })).toMatchObject({ status: 499 });
});

test("a change that finds no room on the disk is answered so", async () => {
  const faults = [{ errcode: 13 }, { errcode: 13 | (2 << 8) }, { code: "ENOSPC" }, { code: "EDQUOT" }];
  for (const fields of faults) {
    const answer = await load(() => Object.assign(new Error("no room"), fields), { isLeft: false });
    expect(answer).toMatchObject({ status: 507 });
    expect(await (answer as Response).text()).toMatch(/^The disk of the server is full, so nothing was changed\./);
  }
});

test("a change that finds the disk read-only is answered so", async () => {
  for (const fields of [{ errcode: 8 }, { errcode: 8 | (4 << 8) }, { errcode: 10 | (3 << 8) }, { code: "EROFS" }]) {
    const answer = await load(() => Object.assign(new Error("read-only"), fields), { isLeft: false });
    expect(answer).toMatchObject({ status: 507 });
    expect(await (answer as Response).text()).toMatch(
      /^The disk of the server cannot be written, so nothing was changed\./,
    );
  }
});

test("other faults stay what they are, whether the sender is there or not", async () => {
  // A disk that cannot be read.
  for (const broken of [
    new Error("the disk is full"),
    Object.assign(new Error("disk I/O error"), { errcode: 10 | (1 << 8) }),
  ])
    for (const isLeft of [true, false]) expect(await load(() => broken, { isLeft })).toBe(broken);
  const calledOff = new DOMException("called off", "AbortError");
  expect(await load(() => calledOff, { isLeft: false })).toBe(calledOff);
});
