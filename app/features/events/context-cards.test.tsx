import { render, screen } from "@testing-library/react";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import { ContextCards, hasContexts } from "./context-cards.tsx";
import { listSections } from "./list-sections.ts";

const event = (more: object) => ({ event_id: "0".repeat(32), platform: "node", timestamp: 0, ...more }) as never;

test("contexts that hold nothing but their own name are no section", () => {
  const empty = event({ contexts: { os: { type: "os", name: null }, app: {} } });
  expect(hasContexts(empty)).toBe(false);
  expect(listSections(empty, { attachments: [] }).map(({ id }) => id)).not.toContain("contexts");
  render(<ContextCards event={event({ contexts: { app: {}, os: { type: "os", name: "Linux" } } })} />);
  expect(screen.getAllByRole("heading").map(({ textContent }) => textContent)).toEqual(["Operating system"]);
});

test("what was wrong with an event is among the places that one can jump to", () => {
  const wrong = event({ errors: [{ type: "invalid_data", name: "level" }] });
  expect(listSections(wrong, { attachments: [] })).toContainEqual({ id: "problems", label: "Problems" });
  expect(listSections(event({}), { attachments: [] }).map(({ id }) => id)).not.toContain("problems");
});

test("the profile that was taken meanwhile has a link", () => {
  const id = "5".repeat(32);
  const profiled = event({ contexts: { profile: { profile_id: id } } });
  const Stub = createRoutesStub([{ path: "/", Component: () => <ContextCards event={profiled} /> }]);
  render(<Stub />);
  expect(screen.getByRole("link", { name: "Open the profile" }).getAttribute("href")).toBe(`/events/${id}`);
});

test("feature flags are names with their results, and another shape is shown as it came", () => {
  const values = [
    { flag: "new-checkout", result: true },
    { flag: "colour", result: "red" },
    { flag: "new-checkout", result: false },
  ];
  const { unmount } = render(<ContextCards event={event({ contexts: { flags: { values } } })} />);
  expect(screen.getByRole("heading").textContent).toBe("Feature flags");
  expect(screen.getAllByRole("term").map(({ textContent }) => textContent)).toEqual(["colour", "new-checkout"]);
  expect(screen.getAllByRole("definition").map(({ textContent }) => textContent)).toEqual(["red", "false"]);
  unmount();
  render(<ContextCards event={event({ contexts: { flags: { values: [{ flag: "a", result: 1 }, "b"] } } })} />);
  expect(screen.getAllByRole("term")[0]?.textContent).toBe("values");
});

test("numbers of bytes have a unit, and what was sent stands beside", () => {
  const device = { memory_size: 17_179_869_184, processor_count: 8_000, storage_size: 512 };
  render(
    <ContextCards event={event({ contexts: { device, gpu: { memory_size: 4_096 }, heap: { used_bytes: 2e6 } } })} />,
  );
  expect(screen.getAllByRole("definition").map(({ textContent }) => textContent)).toEqual([
    "17 GB 17179869184",
    "8000",
    "512",
    "4096",
    "2 MB 2000000",
  ]);
});

test("an address in a context can be opened, and no other text", () => {
  const url = 'https://console.aws.amazon.com/cloudwatch/home?region=eu-central-1#logsV2:?filterPattern="8476a536"';
  const others = { script: "javascript:alert(1)", text: `see ${url}`, masked: "https://[Filtered]@shop.example/" };
  render(<ContextCards event={event({ contexts: { "aws.cloudwatch.logs": { url, ...others } } })} />);
  const [link, ...more] = screen.getAllByRole("link");
  expect(link?.getAttribute("href")).toBe(url);
  expect(link?.getAttribute("rel")).toBe("noreferrer nofollow");
  expect(more).toEqual([]);
});
