import { Check, Copy } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { Button, type ButtonSize, type ButtonVariant } from "./button.tsx";
import { copyText } from "./copy-text.ts";
import { IconButton } from "./icon-button.tsx";

const SAID_FOR_MS = 1_600;

/** Copies `text`, and says whether that worked. With `isIcon` the label is shown as a tooltip. */
export function CopyButton({
  text,
  label = "Copy",
  isIcon = false,
  icon: givenIcon,
  size = "sm",
  variant = "secondary",
  shortcut,
}: {
  /** The text, or a function that is called at the press, for text that is costly or must be fetched. */
  text: string | (() => string | Promise<string>);
  label?: string;
  isIcon?: boolean;
  /** An icon in place of the usual one, for two copy buttons beside each other. */
  icon?: ReactNode;
  size?: ButtonSize;
  variant?: ButtonVariant;
  /** The key that presses the button. */
  shortcut?: string;
}) {
  const [outcome, setOutcome] = useState<"copied" | "failed" | null>(null);

  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(null), SAID_FOR_MS);
    return () => clearTimeout(timer);
  }, [outcome]);

  const copy = async () => {
    try {
      await copyText(typeof text === "string" ? text : await text());
      setOutcome("copied");
    } catch {
      setOutcome("failed");
    }
  };

  const said = outcome === "copied" ? "Copied" : outcome === "failed" ? "Could not copy" : "";
  const icon = outcome === "copied" ? <Check aria-hidden="true" /> : (givenIcon ?? <Copy aria-hidden="true" />);
  return (
    <span className="needs-script">
      {isIcon ? (
        <IconButton size="sm" label={said || label} icon={icon} onClick={copy} data-shortcut={shortcut} />
      ) : (
        <Button size={size} variant={variant} icon={icon} onClick={copy} data-shortcut={shortcut}>
          {said || label}
        </Button>
      )}
      <span role="status" className="sr-only">
        {said}
      </span>
    </span>
  );
}
