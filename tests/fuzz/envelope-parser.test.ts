import { expect, test } from "vitest";
import { admitItems } from "../../app/ingest/admit-items.ts";
import { reframeEnvelope } from "../../app/ingest/reframe-envelope.ts";
import {
  type EnvelopeItem,
  MalformedEnvelopeError,
  type ParsedEnvelope,
  parseEnvelope,
} from "../../app/protocol/parse-envelope.ts";
import { findSignal } from "../../app/signals/registry.ts";
import { itemQuantity } from "../../app/signals/signal.ts";
import { ENVELOPE_CORPUS } from "./fuzz-corpus.ts";
import { createFuzzRun } from "./fuzz-run.ts";
import { mutateBytes } from "./mutate-bytes.ts";

const run = createFuzzRun("envelope parser", 0.85);

function parse(bytes: Uint8Array): ParsedEnvelope | null {
  try {
    return parseEnvelope(bytes);
  } catch (error) {
    if (error instanceof MalformedEnvelopeError) return null;
    throw error;
  }
}

function countOf(items: readonly EnvelopeItem[]): number {
  return items.reduce((sum, { header, payload }) => sum + itemQuantity(findSignal(header), header, payload.length), 0);
}

/** Every item's type, and its payload byte for byte. */
function contentOf(envelope: ParsedEnvelope | null): string[] | undefined {
  return envelope?.items.map(({ header, payload }) => `${header.type} ${Buffer.from(payload).toString("latin1")}`);
}

test("mutated envelopes parse or are malformed; what was parsed survives being framed again without some of its items", async () => {
  let parsedCount = 0;
  await run.each((chance) => {
    const bytes = mutateBytes(chance.pick(ENVELOPE_CORPUS), chance);
    const envelope = parse(bytes);
    if (envelope === null) return;
    parsedCount++;
    let end = envelope.headerEnd;
    for (const item of envelope.items) {
      if (item.start < end || item.end < item.start || item.end > bytes.length) throw new Error("items overlap");
      end = item.end;
    }
    const { kept, dropped } = admitItems(envelope.items, () =>
      chance.oneIn(3) ? { seconds: 60, categories: [], scope: "key", reasonCode: "key_quota" } : null,
    );
    const droppedCount = dropped.reduce((sum, items) => sum + items.quantity, 0);
    if (countOf(kept) + droppedCount !== countOf(envelope.items)) throw new Error("an item is in no bucket, or in two");
    const again = parse(reframeEnvelope(bytes, envelope, kept));
    const wanted = contentOf({ ...envelope, items: [...kept] });
    if (JSON.stringify(contentOf(again)) !== JSON.stringify(wanted)) {
      throw new Error(`framed again, it reads differently: ${JSON.stringify(bytes.toString("latin1").slice(0, 2000))}`);
    }
  });
  // A fuzzer of which every case is refused at the door tests the door.
  if (process.env.FUZZ_CASE === undefined) expect(parsedCount).toBeGreaterThan(run.count / 10);
});
