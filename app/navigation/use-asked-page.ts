import { startTransition, useState } from "react";
import { type NavigateOptions, useNavigate } from "react-router";

/**
 * Opens pages one after the other, and tells whether the last requested one has been drawn. `useNavigation` tells it late: the router draws
 * its state as a transition. So after a press that asks for the next page, an earlier page can still be drawn as idle.
 */
export function useAskedPage() {
  const navigate = useNavigate();
  const [asked, setAsked] = useState(0);
  const ask = async (path: string, options?: NavigateOptions) => {
    setAsked((count) => count + 1);
    try {
      await navigate(path, options);
    } finally {
      // It is drawn together with the page, which the router draws as a transition, too.
      startTransition(() => setAsked((count) => count - 1));
    }
  };
  return { isAsked: asked > 0, ask: (path: string, options?: NavigateOptions) => void ask(path, options) };
}
