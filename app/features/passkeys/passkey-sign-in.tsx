import { useEffect, useRef, useState } from "react";
import { useNavigation, useSubmit } from "react-router";
import { Button } from "../../ui/button.tsx";
import { askForPasskey, knowsPasskeys, type PasskeyAnswer, suggestsPasskeys } from "./ask-browser.ts";

/**
 * A button that signs in with a passkey. It does not show before script runs, nor in browsers without passkeys. `isSuggested`: the browser
 * also suggests passkeys in the field of the address, whose `autoComplete` must be `webauthn`.
 */
export function PasskeySignIn({
  purpose,
  isSuggested = false,
}: {
  purpose: "sign-in" | "code";
  isSuggested?: boolean;
}) {
  const submit = useSubmit();
  const isUnderWay = useNavigation().state !== "idle";
  const [isKnown, setKnown] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const [message, setMessage] = useState("");
  const isGone = useRef(false);
  const wasPressed = useRef(false);
  /** Whether an answer is being sent. `useNavigation` tells this a moment later, with the next drawing. */
  const isSending = useRef(false);

  const finish = async (result: PasskeyAnswer) => {
    if (isGone.current) return;
    if (!result.ok) return setMessage(result.trouble?.message ?? "");
    isSending.current = true;
    await submit({ intent: "passkey", answer: result.answer }, { method: "post" });
    isSending.current = false;
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, when the page is there
  useEffect(() => {
    isGone.current = false;
    setKnown(knowsPasskeys());
    if (isSuggested)
      void suggestsPasskeys().then(async (isOffered) => {
        // It would end the question that the button has asked.
        if (!isOffered || isGone.current || wasPressed.current) return;
        const result = await askForPasskey(purpose, { isSuggestion: true });
        // Nobody asked for the suggestion, so its failure is not shown.
        if (result.ok) await finish(result);
      });
    return () => {
      isGone.current = true;
    };
  }, []);

  if (!isKnown) return null;
  return (
    <div className="grid gap-2">
      <Button
        size="lg"
        isPending={isAsking}
        onClick={async () => {
          if (isUnderWay || isSending.current) return;
          wasPressed.current = true;
          setAsking(true);
          setMessage("");
          await finish(await askForPasskey(purpose));
          setAsking(false);
        }}
      >
        {purpose === "sign-in" ? "Sign in with a passkey" : "Use a passkey"}
      </Button>
      <p role="status" className="text-center text-error text-sm empty:hidden">
        {message}
      </p>
    </div>
  );
}
