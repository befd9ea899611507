import { copyText } from "./copy-text.ts";
import { useToast } from "./toast.tsx";

/** Gives the function that copies the address of the page, and says whether it worked. */
export function useCopyLink(): () => void {
  const showToast = useToast();
  return () =>
    void copyText(window.location.href).then(
      () => showToast({ message: "Link copied." }),
      () => showToast({ message: "The link could not be copied.", tone: "failed" }),
    );
}
