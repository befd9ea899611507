import { type Cutoffs, STORED_SIGNALS, toCutoffs } from "../../../domain/stored-signal.ts";
import type { ExpirationStore } from "../../state/expiration-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { dropFeedbackBefore } from "../feedback/drop-feedback.ts";
import { dropOldExamples } from "../rules/filtered-examples.ts";
import { addOutcomes } from "./add-outcomes.ts";

export function createExpirationStore(db: SqliteConnection): ExpirationStore {
  return {
    dropOldExamples: (now) => db.write(() => dropOldExamples(db, now)),
    expiredUpTo: async () => readExpired(db),
    noteExpired: ({ cutoffs, counts }) =>
      db.write(() => {
        addOutcomes(db, counts);
        dropFeedbackBefore(db, cutoffs);
        for (const signal of STORED_SIGNALS) {
          db.run(
            `INSERT INTO expired_signals (signal, up_to) VALUES (:signal, :upTo)
             ON CONFLICT DO UPDATE SET up_to = max(up_to, excluded.up_to)`,
            { signal, upTo: Math.ceil(cutoffs[signal]) },
          );
        }
      }),
  };
}

function readExpired(db: SqliteConnection): Cutoffs {
  const rows = db.all<{ signal: string; upTo: number }>("SELECT signal, up_to AS upTo FROM expired_signals");
  const upTo = new Map(rows.map((row) => [row.signal, row.upTo]));
  return toCutoffs((signal) => upTo.get(signal) ?? 0);
}
