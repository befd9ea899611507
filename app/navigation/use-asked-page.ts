import { startTransition, useState } from "react";
import { type NavigateOptions, useNavigate } from "react-router";

/**
 * Opens pages one after the other, and tells whether the last one asked for has been drawn. `useNavigation` tells it late:
 * the router draws its state as a transition, so an earlier page can be drawn as idle after a press that asks for the next.
 */
export function useAskedPage() {
  const navigate = useNavigate();
  const [asked, setAsked] = useState(0);
  const ask = async (path: string, options?: NavigateOptions) => {
    setAsked((count) => count + 1);
    try {
      await navigate(path, options);
    } finally {
      // Drawn with the page, which the router draws as a transition too.
      startTransition(() => setAsked((count) => count - 1));
    }
  };
  return { isAsked: asked > 0, ask: (path: string, options?: NavigateOptions) => void ask(path, options) };
}
