import { createContext, type ReactNode, useContext, useMemo } from "react";
import type { StackPlace } from "../../domain/symbolication.ts";
import type { ExplainContext } from "../../symbolicate/upload-command.ts";
import type { EventPage } from "../events/get-event-page.server.ts";
import type { FrameDoctor } from "./event-doctor.ts";
import { type EventDoctor, explainEvent, findFrameDoctor } from "./explain-event.ts";

const DoctorContext = createContext<EventDoctor | null>(null);

/** Provides what is known about the source maps of an event. Stacks are deep in the page, and know only their place. */
export function SourceMapDoctor({
  page,
  explain: { serverUrl, org, project },
  children,
}: {
  page: Pick<EventPage, "stored" | "symbolication"> | null;
  explain: ExplainContext;
  children: ReactNode;
}) {
  const event = page?.stored?.event;
  const report = page?.symbolication;
  const doctor = useMemo(
    () => (event && report ? explainEvent(event, report, { serverUrl, org, project }) : null),
    [event, report, serverUrl, org, project],
  );
  return <DoctorContext value={doctor}>{children}</DoctorContext>;
}

/** Null: nothing is known about the event's source maps. */
export function useEventDoctor(): EventDoctor | null {
  return useContext(DoctorContext);
}

/** The doctor's findings on one frame. Null: there are none, or the event does not have the frame. */
export function useFrameDoctor(place: StackPlace | null, frameIndex: number): FrameDoctor | null {
  const doctor = useContext(DoctorContext);
  return (doctor && place && findFrameDoctor(doctor, place, frameIndex)) ?? null;
}
