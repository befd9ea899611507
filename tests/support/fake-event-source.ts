import { vi } from "vitest";

/** What a page listens to, for tests of the page alone. */
export interface FakeEventSource {
  /** The last one that was opened hears this. */
  tell(data: unknown): void;
  /** Its connection is lost, and the browser tries again. */
  lose(): void;
}

interface Listening {
  onmessage?: (event: { data: string; lastEventId: string }) => void;
  onerror?: () => void;
}

/** In the place of the browser's `EventSource`, until `vi.unstubAllGlobals()`. */
export function fakeEventSource(): FakeEventSource {
  let opened: Listening | undefined;
  vi.stubGlobal(
    "EventSource",
    class extends EventTarget {
      static readonly CLOSED = 2;
      readyState = 0;
      onmessage?: Listening["onmessage"];
      onerror?: Listening["onerror"];
      constructor() {
        super();
        opened = this;
      }
      close() {}
    },
  );
  return {
    tell: (data) => opened?.onmessage?.({ data: JSON.stringify(data), lastEventId: "" }),
    lose: () => opened?.onerror?.(),
  };
}
