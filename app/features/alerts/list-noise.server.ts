import type { Workspace } from "../../access/workspace.ts";
import { isCountTrigger } from "../../domain/alerts/alert-rule.ts";
import { MAX_NOISY, NOISE_MS, type RuleNoise, saySuggestedLine } from "../../domain/alerts/noise.ts";
import { hasRight } from "../../domain/scope.ts";

export interface NoiseItem extends RuleNoise {
  id: number;
  name: string;
  /** A suggested line, and a sentence about its effect. Null: none is suggested. */
  better: { line: number; said: string } | null;
}

/** The report on noisy rules that the reader may change. */
export interface NoiseView {
  /** Rules that fired most come first. */
  rules: NoiseItem[];
  /** Whether the reader gets the report by mail. Null: this server sends no mail. */
  isMailed: boolean | null;
}

/** Null: the reader may change no rule. */
export async function listNoise(
  { state, scope, user, notifications }: Workspace,
  now: number,
): Promise<NoiseView | null> {
  if (user === null || !hasRight(scope, "project:write")) return null;
  const noisy = await state.alertNoise.listNoisyRules(scope, { from: now - NOISE_MS, to: now, now, limit: MAX_NOISY });
  return {
    rules: noisy.map(({ rule, noise, suggested }) => {
      const own = rule.triggers.find(isCountTrigger)?.count;
      const better =
        suggested === null || own === undefined
          ? null
          : { line: suggested.line, said: saySuggestedLine(suggested, { own, acted: noise.acted }) };
      return { id: rule.id, name: rule.name, ...noise, better };
    }),
    isMailed: notifications.mailFrom === null ? null : await state.alertNoise.wantsReport(user.id),
  };
}
