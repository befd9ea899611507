import { describe, expect, test } from "vitest";
import { decodeStoredItem, encodeStoredItem } from "./stored-item.ts";

describe("a stored item", () => {
  test("comes back with its bytes, its header and what its envelope said", () => {
    const payload = new Uint8Array([0, 10, 13, 255, 10]);
    const item = {
      envelopeHeader: { event_id: "9ec79c33ec9942ab8353589fcb2e04dc", trace: { trace_id: "a" } },
      header: { type: "attachment", filename: "a\nb.bin" },
      request: { clientAddress: "203.0.113.7", userAgent: null },
      payload,
    };
    const decoded = decodeStoredItem(encodeStoredItem(item));
    expect(decoded).toEqual({ ...item, header: { ...item.header, length: 5 }, payload: expect.anything() });
    expect([...decoded.payload]).toEqual([...payload]);
  });

  test("may be empty", () => {
    const stored = encodeStoredItem({
      envelopeHeader: {},
      header: { type: "attachment" },
      request: { clientAddress: null, userAgent: null },
      payload: new Uint8Array(0),
    });
    expect(decodeStoredItem(stored).payload).toHaveLength(0);
  });
});
