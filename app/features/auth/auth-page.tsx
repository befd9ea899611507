import type { ReactNode } from "react";
import { Card } from "../../ui/card.tsx";
import { CulpritMark } from "../../ui/culprit-mark.tsx";

/** The page around forms for people who are not signed in yet. */
export function AuthPage({ title, intro, children }: { title: string; intro?: ReactNode; children: ReactNode }) {
  return (
    <main id="main" className="mx-auto grid min-h-dvh w-full max-w-form content-center gap-6 px-4 py-10">
      <div className="grid justify-items-start gap-4">
        <CulpritMark className="size-9" />
        <div className="grid gap-1.5">
          <h1 className="text-2xl">{title}</h1>
          {intro && <p className="text-muted text-md">{intro}</p>}
        </div>
      </div>
      <Card className="p-5 sm:p-6">{children}</Card>
    </main>
  );
}
