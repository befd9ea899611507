import { createContext, useContext, useSyncExternalStore } from "react";

/** Carries the id from the server to a page that is loaded after a fault of the server. */
const META_NAME = "culprit-fault";
/** The same for data that the router fetches. */
export const FAULT_HEADER = "x-culprit-fault";

/** Set around the document by entry.server.tsx. */
export const FaultEventIdContext = createContext<string | null>(null);

const idByFault = new WeakMap<object, string>();
const listeners = new Set<() => void>();
let lastServerFault: string | null = null;
let serverFaultCount = 0;

/**
 * Under which id the fault that a page shows was reported; null when it was not, or not yet. For faults of the server and
 * of the browser alike.
 */
export function useFaultEventId(fault: unknown): string | null {
  const onServer = useContext(FaultEventIdContext);
  return useSyncExternalStore(
    subscribe,
    () => findId(fault),
    () => (typeof document === "undefined" ? onServer : readMeta()),
  );
}

export function renderFaultMeta(eventId: string | null): string {
  return eventId !== null && /^[0-9a-f]{32}$/.test(eventId) ? `<meta name="${META_NAME}" content="${eventId}"/>` : "";
}

/** Remembers the id of a fault that was reported from this page. */
export function rememberFault(fault: unknown, eventId: string): void {
  if (typeof fault !== "object" || fault === null) return;
  idByFault.set(fault, eventId);
  for (const listener of listeners) listener();
}

/** Remembers the id that came with the answer of the server: it names the fault, and the page gets only a bare copy of that. */
export function rememberServerFault({ headers, status }: Response): void {
  lastServerFault = headers.get(FAULT_HEADER) ?? lastServerFault;
  if (status >= 500) serverFaultCount++;
}

/** Answers of the server to the router that were faults. */
export function countServerFaults(): number {
  return serverFaultCount;
}

/** Whether it is the copy that the router makes of a fault of the server, without its message and stack. */
export function isServerFaultCopy(fault: unknown): boolean {
  return fault instanceof Error && fault.message === "Unexpected Server Error";
}

function findId(fault: unknown): string | null {
  if (typeof fault !== "object" || fault === null) return null;
  const known = idByFault.get(fault);
  if (known !== undefined) return known;
  if (!isServerFaultCopy(fault)) return null;
  const id = lastServerFault ?? readMeta();
  // The next fault has another id, and this one keeps its own.
  if (id !== null) idByFault.set(fault, id);
  return id;
}

function readMeta(): string | null {
  return document.querySelector(`meta[name="${META_NAME}"]`)?.getAttribute("content") ?? null;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
