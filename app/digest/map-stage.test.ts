import { expect, test, vi } from "vitest";
import { type MapOptions, mapOnThisThread } from "./map-stage.ts";

/** How many records were mapped. They are no entries, so each is set aside. */
async function mapRecords(options: MapOptions): Promise<number> {
  const records = Array.from({ length: 3 }, (_, sequence) => ({ sequence, bytes: Buffer.from("no entry") }));
  let count = 0;
  for await (const { mapped, recordCount } of mapOnThisThread().map(records, options)) {
    expect(mapped.setAside).toHaveLength(recordCount);
    count += recordCount;
  }
  return count;
}

test("a batch stands back as long as others are waited for", async () => {
  // Time stands still: on a busy machine one wait may take as long as a batch may stand back altogether.
  using _ = vi.spyOn(performance, "now").mockReturnValue(1);
  let looks = 0;
  expect(await mapRecords({ standsBack: () => ++looks < 4 })).toBe(3);
  expect(looks).toBe(4);
});

test("a batch goes on although others are waited for without end", async () => {
  expect(await mapRecords({ standsBack: () => true })).toBe(3);
});
