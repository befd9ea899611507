import { act, render, screen } from "@testing-library/react";
import { renderToString } from "react-dom/server";
import { beforeEach, describe, expect, test, vi } from "vitest";

const first = "a".repeat(32);
const second = "b".repeat(32);

/** A fresh module, because what it knows lasts as long as the page. */
async function openPage(head = "") {
  vi.resetModules();
  document.head.innerHTML = head;
  const module = await import("./fault-event-id.ts");
  function Shown({ fault }: { fault: unknown }) {
    return <p role="status">{module.useFaultEventId(fault) ?? "none"}</p>;
  }
  return { ...module, Shown };
}

function answer(eventId: string | null): Response {
  return new Response("", eventId === null ? {} : { headers: { "x-culprit-fault": eventId } });
}

beforeEach(() => {
  document.body.innerHTML = "";
});

describe("the id of a fault", () => {
  test("of the server is in the page that it sends", async () => {
    const { FaultEventIdContext, Shown, renderFaultMeta } = await openPage();
    vi.stubGlobal("document", undefined);
    const html = renderToString(
      <FaultEventIdContext value={first}>
        <Shown fault={new Error("x")} />
      </FaultEventIdContext>,
    );
    vi.unstubAllGlobals();
    expect(html).toContain(first);
    expect(renderFaultMeta(first)).toBe(`<meta name="culprit-fault" content="${first}"/>`);
    expect(renderFaultMeta('"><script>')).toBe("");
  });

  test("of the server stays when the page comes alive", async () => {
    const { Shown } = await openPage(`<meta name="culprit-fault" content="${first}">`);
    render(<Shown fault={new Error("Unexpected Server Error")} />);
    expect(screen.getByRole("status").textContent).toBe(first);
  });

  test("of the server behind data that failed is the one that came with the answer, and each fault keeps its own", async () => {
    const { Shown, rememberServerFault } = await openPage();
    const faults = [new Error("Unexpected Server Error"), new Error("Unexpected Server Error")];
    rememberServerFault(answer(first));
    const { rerender } = render(<Shown fault={faults[0]} />);
    expect(screen.getByRole("status").textContent).toBe(first);
    rememberServerFault(answer(second));
    rememberServerFault(answer(null));
    rerender(<Shown fault={faults[1]} />);
    expect(screen.getByRole("status").textContent).toBe(second);
    rerender(<Shown fault={faults[0]} />);
    expect(screen.getByRole("status").textContent).toBe(first);
  });

  test("of the browser shows as soon as it is reported", async () => {
    const { Shown, rememberFault } = await openPage();
    const fault = new Error("x");
    render(<Shown fault={fault} />);
    expect(screen.getByRole("status").textContent).toBe("none");
    act(() => rememberFault(fault, first));
    expect(screen.getByRole("status").textContent).toBe(first);
  });

  test("is unknown for what was never reported", async () => {
    const { Shown } = await openPage();
    render(<Shown fault="thrown text" />);
    expect(screen.getByRole("status").textContent).toBe("none");
  });
});

test("answers of 500 and above count as faults of the server", async () => {
  const { countServerFaults, rememberServerFault } = await openPage();
  for (const status of [200, 404, 499, 500, 503]) rememberServerFault(new Response("", { status }));
  expect(countServerFaults()).toBe(2);
});
