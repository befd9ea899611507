import { Popover } from "radix-ui";
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useLocation } from "react-router";

/** The popover once script is there. Opens as it appears. */
export default function PopoverOverlay({
  label,
  trigger,
  triggerClassName,
  align,
  shortcut,
  children,
}: {
  label: string;
  trigger: ReactNode;
  triggerClassName: string;
  align: "start" | "end";
  shortcut: string | undefined;
  children: ReactNode;
}) {
  const [isOpen, setIsOpen] = useState(true);
  const { key } = useLocation();
  const openedAt = useRef(key);
  // With the commit: later, it would close what somebody has opened on the new page meanwhile.
  useLayoutEffect(() => {
    // A link inside has led somewhere.
    if (openedAt.current !== key) setIsOpen(false);
    openedAt.current = key;
  }, [key]);
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // A button inside has sent a form, which may stand elsewhere: its fields name it.
    const onSubmit = ({ submitter }: SubmitEvent) => {
      if (submitter && content.current?.contains(submitter)) setIsOpen(false);
    };
    document.addEventListener("submit", onSubmit);
    return () => document.removeEventListener("submit", onSubmit);
  }, []);
  return (
    <Popover.Root open={isOpen} onOpenChange={setIsOpen}>
      <Popover.Trigger className={triggerClassName} data-shortcut={shortcut}>
        {trigger}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          ref={content}
          aria-label={label}
          className="overlay-panel p-3"
          align={align}
          sideOffset={6}
          collisionPadding={8}
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
