import { expect, test } from "vitest";
import { projects } from "../../stores/event-store-contract/fixture.ts";
import type { EventStore } from "../../stores/events/event-store.ts";
import { listAttributeFacets } from "./list-attribute-facets.server.ts";

test("an attribute with so many values that some are not counted says so", async () => {
  const values = (count: number) => Array.from({ length: count }, (_, index) => ({ value: `v${index}`, count: 1 }));
  const events = {
    listAttributeKeys: async () => ["many", "few"].map((key) => ({ key, count: 60 })),
    listAttributeValues: async ({ key }, limit) => values(key === "many" ? 60 : 49).slice(0, limit),
  } as Partial<EventStore> as EventStore;
  const { attributes } = await listAttributeFacets({ events }, { projectIds: projects(1), from: 0, to: 1 });
  expect(attributes.map(({ key, isCut, values }) => [key, isCut, values.length])).toEqual([
    ["many", true, 5],
    ["few", false, 5],
  ]);
});

test("what an SDK adds to each line comes after what the application says", async () => {
  const sent = ["code.file.path", "resource.host.name", "parent_span_id", "instrumentation.name", "order", "codec"];
  const events = {
    listAttributeKeys: async () => sent.map((key) => ({ key, count: 60 })),
    listAttributeValues: async () => [{ value: "v", count: 60 }],
  } as Partial<EventStore> as EventStore;
  const { attributes, attributeKeys } = await listAttributeFacets(
    { events },
    { projectIds: projects(1), from: 0, to: 1 },
  );
  expect(attributes.map(({ key }) => key)).toEqual(["order", "codec", "code.file.path"]);
  expect(attributeKeys).toEqual(sent);
});
