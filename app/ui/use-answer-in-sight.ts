import { useEffect, useRef } from "react";
import { useNavigation } from "react-router";

const NOTICES = "#main :is([role=alert], [role=status]):not(.sr-only)";

/** When a form was answered, brings the answer into sight. It stands above the forms of a page, which may be longer than the window. */
export function useAnswerInSight(): void {
  const { state, formMethod } = useNavigation();
  const wasSent = useRef(false);
  useEffect(() => {
    if (state !== "idle") {
      wasSent.current = formMethod === "POST";
      return;
    }
    if (!wasSent.current) return;
    wasSent.current = false;
    const notice = [...document.querySelectorAll(NOTICES)].find((each) => each.getClientRects().length > 0);
    const place = notice?.getBoundingClientRect();
    if (place && (place.top < 0 || place.bottom > window.innerHeight)) notice?.scrollIntoView({ block: "center" });
  }, [state, formMethod]);
}
