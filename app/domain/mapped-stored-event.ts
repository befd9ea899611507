import type { StoredEvent } from "./stored-event.ts";
import type { SymbolicationReport, WantedMap } from "./symbolication.ts";

/** A stored event with its frames mapped by the source maps of now. */
export interface MappedStoredEvent {
  /** The given event if nothing changed. */
  stored: StoredEvent;
  isChanged: boolean;
  report: SymbolicationReport;
  /** Source maps that a later upload could bring. */
  wanted: WantedMap[];
}
