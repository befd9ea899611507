import { describe, expect, test } from "vitest";
import { limitBaggage, MAX_BAGGAGE_BYTES, withLimitedBaggage } from "./baggage.ts";

/** A member of exactly so many bytes. */
function member(name: string, bytes: number): string {
  return `${name}=${"v".repeat(bytes - name.length - 1)}`;
}

describe("limitBaggage", () => {
  test("keeps what is within the limit as it came", () => {
    expect(limitBaggage("a=1, b=2;p=x,sentry-sampled=true")).toBe("a=1, b=2;p=x,sentry-sampled=true");
  });

  test("keeps 8192 bytes, and cuts the member that would make it 8193", () => {
    const first = member("a", 4000);
    const full = `${first},${member("b", MAX_BAGGAGE_BYTES - 4001)}`;
    expect(full).toHaveLength(8192);
    expect(limitBaggage(full)).toBe(full);
    expect(limitBaggage(`${full}x`)).toBe(first);
  });

  test("cuts at a whole member and leaves no comma behind", () => {
    expect(limitBaggage(`a=1,b=2,${member("c", 9000)},d=4`)).toBe("a=1,b=2");
  });

  test("counts bytes and not characters", () => {
    const value = "é".repeat(4090);
    expect(limitBaggage(`a=${value},b=1`)).toBe(`a=${value},b=1`);
    expect(limitBaggage(`a=${value},b=12345678901`)).toBe(`a=${value}`);
  });

  test("keeps 64 members", () => {
    const members = Array.from({ length: 70 }, (_, index) => `k${index}=1`);
    expect(limitBaggage(members.join(","))?.split(",")).toHaveLength(64);
  });

  test("gives nothing when the first member is too long, or there is none", () => {
    expect(limitBaggage(member("a", 8193))).toBeUndefined();
    expect(limitBaggage("")).toBeUndefined();
  });
});

describe("withLimitedBaggage", () => {
  async function sent(input: string | Request, init?: RequestInit): Promise<Headers> {
    let headers = new Headers();
    await withLimitedBaggage(async (seenInput, seenInit) => {
      headers = new Request(seenInput, seenInit).headers;
      return new Response();
    })(input, init);
    return headers;
  }

  test("cuts the header whether it stands on the request or beside it", async () => {
    const baggage = `a=1,${member("b", 9000)}`;
    expect((await sent("http://x.test/", { headers: { baggage } })).get("baggage")).toBe("a=1");
    expect((await sent(new Request("http://x.test/", { headers: { baggage } }))).get("baggage")).toBe("a=1");
  });

  test("keeps the other headers", async () => {
    const headers = { baggage: member("b", 9000), "sentry-trace": "abc" };
    const left = await sent(new Request("http://x.test/", { headers }));
    expect([...left.keys()]).toEqual(["sentry-trace"]);
  });
});
