import { copyText } from "./copy-text.ts";
import { useToast } from "./toast.tsx";

/** Returns a function that copies the address of the page and says whether that worked. */
export function useCopyLink(): () => void {
  const showToast = useToast();
  return () =>
    void copyText(window.location.href).then(
      () => showToast({ message: "Link copied." }),
      () => showToast({ message: "The link could not be copied.", tone: "failed" }),
    );
}
