import { type RefObject, useEffect, useRef, useState } from "react";

/** Milliseconds. A pointer that only passes opens nothing. */
const OPEN_AFTER_MS = 300;
/** Milliseconds to get from the title to the card. */
const CLOSE_AFTER_MS = 200;
/**
 * Distance from the pointer, or from the link's left edge, to the card. A pointer that moves straight down passes the card on its
 * way to the next title.
 */
const POINTER_GAP_PX = 12;
const LINK_INDENT_PX = 24;

export interface PreviewTarget {
  link: HTMLElement;
  issueId: string;
  shortId: string;
  /** The left edge of the card as the pointer or the link suggests it, in pixels of the window. */
  x: number;
  isByKey: boolean;
}

/** Why this code was loaded. */
export interface PreviewCause {
  /** Whether a mouse is over a title. After a tap, the browser also reports the title as hovered. */
  isMouse: boolean;
  /** The link on which Space was pressed meanwhile. Null: none. */
  opened: HTMLElement | null;
}

/**
 * The issue of the list whose card is shown. Null: none. It follows a mouse from title to title, or, once Space has opened it, the
 * focus from row to row. Escape, Space, leaving, pressing, and scrolling with a mouse close it.
 */
export function usePreviewTarget({
  list,
  card,
  cause,
  onScroll,
}: {
  list: RefObject<HTMLElement | null>;
  card: RefObject<HTMLElement | null>;
  cause: RefObject<PreviewCause>;
  onScroll: (target: PreviewTarget) => void;
}): PreviewTarget | null {
  const [target, setTarget] = useState<PreviewTarget | null>(null);
  const latest = useRef({ target, onScroll });
  latest.current = { target, onScroll };

  useEffect(() => {
    const element = list.current;
    const bubble = card.current;
    if (!element || !bubble) return;
    const ending = new AbortController();
    const { signal } = ending;
    const current = () => latest.current.target;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let aimed: HTMLElement | null = null;
    let pointer = { x: 0, y: 0 };

    const wait = (act: () => void, ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(act, ms);
    };
    const close = () => {
      clearTimeout(timer);
      setTarget(null);
    };
    const leave = () => {
      aimed = null;
      if (current()?.isByKey) clearTimeout(timer);
      else wait(close, CLOSE_AFTER_MS);
    };
    const show = (link: HTMLElement, isByKey: boolean) => {
      clearTimeout(timer);
      const row = link.closest<HTMLElement>("[data-issue]");
      if (!row?.dataset.issue) return;
      const x = isByKey ? link.getBoundingClientRect().left + LINK_INDENT_PX : pointer.x + POINTER_GAP_PX;
      const shortId = row.querySelector(".issue-short-id")?.lastChild?.textContent ?? "";
      setTarget({ link, issueId: row.dataset.issue, shortId, x, isByKey });
    };
    const aim = (link: HTMLElement) => {
      aimed = link;
      if (current()?.link === link) clearTimeout(timer);
      else wait(() => link.isConnected && show(link, false), OPEN_AFTER_MS);
    };

    // Not `pointerover`: that also fires for rows that scroll under a resting mouse.
    const onPointerMove = ({ pointerType, clientX, clientY, target: at }: PointerEvent) => {
      if (pointerType !== "mouse" || (clientX === pointer.x && clientY === pointer.y)) return;
      pointer = { x: clientX, y: clientY };
      const link = toLink(at);
      if (link && link !== aimed) aim(link);
    };
    const onPointerOut = (event: PointerEvent) => {
      const link = toLink(event.target);
      if (link && link !== toLink(event.relatedTarget)) leave();
    };
    const onKeyDown = (event: KeyboardEvent) => {
      const link = toLink(event.target);
      if (!link || !isPreviewKey(event)) return;
      event.preventDefault();
      if (current()?.isByKey && current()?.link === link) close();
      else show(link, true);
    };
    const onEscape = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || !current()) return;
      event.preventDefault();
      close();
    };
    const onFocusIn = (event: FocusEvent) => {
      if (!current()?.isByKey) return;
      const link = toLink(event.target);
      if (link && element.contains(link)) show(link, true);
      else close();
    };
    const onDocumentScroll = () => {
      const shown = current();
      if (shown?.isByKey) latest.current.onScroll(shown);
      else close();
    };

    element.addEventListener("pointermove", onPointerMove, { signal });
    element.addEventListener("pointerout", onPointerOut, { signal });
    element.addEventListener("keydown", onKeyDown, { signal });
    bubble.addEventListener("pointerenter", () => clearTimeout(timer), { signal });
    bubble.addEventListener("pointerleave", leave, { signal });
    // In the capture phase: closes the card before Escape does anything else.
    document.addEventListener("keydown", onEscape, { signal, capture: true });
    document.addEventListener("focusin", onFocusIn, { signal });
    document.addEventListener("pointerdown", (event) => !bubble.contains(event.target as Node) && close(), { signal });
    document.addEventListener("scroll", onDocumentScroll, { signal, passive: true });
    window.addEventListener("blur", close, { signal });

    const { isMouse, opened } = cause.current;
    const hovered = isMouse ? element.querySelector<HTMLElement>(".issue-link:hover") : null;
    if (opened && opened === document.activeElement) show(opened, true);
    else if (hovered) {
      pointer = { x: hovered.getBoundingClientRect().left, y: 0 };
      aim(hovered);
    }
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [list, card, cause]);

  // The row has gone: its issue was resolved, or another page of the list has loaded.
  useEffect(() => {
    if (target && !target.link.isConnected) setTarget(null);
  });
  return target;
}

function isPreviewKey({ key, shiftKey, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean {
  return key === " " && !shiftKey && !ctrlKey && !altKey && !metaKey;
}

function toLink(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>(".issue-link") : null;
}
