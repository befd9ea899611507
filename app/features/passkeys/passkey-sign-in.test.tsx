import { act, fireEvent, render, screen } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PasskeySignIn } from "./passkey-sign-in.tsx";

/** Questions to the server, and to the device, in their order; each is answered when the test says so. */
const challenges: Array<(challenge: string) => void> = [];
/** The same questions, for a test that refuses them. */
const refusals: Array<(message: string) => void> = [];
const devices: Array<() => void> = [];
/** What was sent to sign in: the challenge that it answers. */
const sent: string[] = [];
let answerSent = () => {};

beforeEach(() => {
  for (const list of [challenges, refusals, devices, sent]) list.length = 0;
  const conditional = { isConditionalMediationAvailable: async () => true };
  vi.stubGlobal("PublicKeyCredential", Object.assign(class {}, conditional));
  vi.stubGlobal("fetch", (_: string, { signal }: { signal: AbortSignal }) => {
    return new Promise<Response>((done, fail) => {
      signal.addEventListener("abort", () => fail(signal.reason));
      challenges.push((challenge) => done(Response.json({ challenge, allowCredentials: [] })));
      refusals.push((message) => done(Response.json({ field: null, message }, { status: 429 })));
    });
  });
  Object.defineProperty(navigator, "credentials", {
    configurable: true,
    value: {
      get: ({ publicKey }: { publicKey: { challenge: ArrayBuffer } }) =>
        new Promise((done) => devices.push(() => done(makeCredential(publicKey.challenge)))),
    },
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, "credentials");
});

function makeCredential(challenge: ArrayBuffer) {
  const bytes = new Uint8Array([1]).buffer;
  return {
    id: "one",
    rawId: bytes,
    type: "public-key",
    response: { authenticatorData: bytes, clientDataJSON: challenge, signature: bytes },
    getClientExtensionResults: () => ({}),
  };
}

async function openPage() {
  const element = (
    <>
      <input autoComplete="username webauthn" />
      <PasskeySignIn purpose="sign-in" isSuggested />
    </>
  );
  const action = async ({ request }: { request: Request }) => {
    const { response } = JSON.parse(String((await request.formData()).get("answer")));
    sent.push(response.clientDataJSON);
    await new Promise<void>((done) => {
      answerSent = done;
    });
    return null;
  };
  await act(async () => {
    render(<RouterProvider router={createMemoryRouter([{ path: "/", element, action }])} />);
  });
}

const press = () => act(async () => void fireEvent.click(screen.getByRole("button")));
const until = (look: () => void) => act(() => vi.waitFor(look));

test("the button ends what the browser suggested: the server knows one challenge, and takes one answer", async () => {
  await openPage();
  await act(async () => challenges[0]?.("AAAA"));
  await until(() => expect(devices).toHaveLength(1));
  await press();
  // The device answers the suggestion after the button was pressed.
  await act(async () => devices[0]?.());
  expect(sent).toEqual([]);
  await act(async () => challenges[1]?.("BBBB"));
  await until(() => expect(devices).toHaveLength(2));
  await act(async () => devices[1]?.());
  await until(() => expect(sent).toEqual(["BBBB"]));

  await press();
  expect(challenges).toHaveLength(2);
  // It was refused: one may try again.
  await act(async () => answerSent());
  await press();
  expect(challenges).toHaveLength(3);
});

test("the browser suggests nothing once the button was pressed, also while its challenge is on its way", async () => {
  await openPage();
  await press();
  await act(async () => challenges[0]?.("AAAA"));
  await act(async () => challenges[1]?.("BBBB"));
  await until(() => expect(devices).toHaveLength(1));
  await act(async () => devices[0]?.());
  await until(() => expect(sent).toEqual(["BBBB"]));
});

test("why a passkey was refused is said until the button is pressed again; a refused suggestion is not", async () => {
  await openPage();
  await act(async () => refusals[0]?.("The suggestion was refused."));
  expect(screen.getByRole("status").textContent).toBe("");
  await press();
  await act(async () => refusals[1]?.("Wait for a minute."));
  await until(() => expect(screen.getByRole("status").textContent).toBe("Wait for a minute."));
  await press();
  expect(screen.getByRole("status").textContent).toBe("");
  await act(async () => refusals[2]?.("Wait for an hour."));
  await until(() => expect(screen.getByRole("status").textContent).toBe("Wait for an hour."));
});
