import { randomBytes } from "node:crypto";
import type { MonitoringOptions } from "../../instrument.server.ts";
import { reportDialogScript } from "../browser-sdk/report-dialog-script.ts";
import type { Config } from "../config.server.ts";
import { createIngest, type Ingest } from "../ingest/create-ingest.ts";
import { DEFAULT_INGEST_LIMITS } from "../ingest/ingest-limits.ts";
import { createKeyRateLimiter } from "../ingest/key-rate-limiter.ts";
import { createKeyRing, type KeyRing } from "../ingest/key-ring.ts";
import { createQuotaLimiter, type QuotaLimiter } from "../ingest/quota-limiter.ts";
import type { JournalDisk } from "../journal/journal-disk.ts";
import { type Journals, openJournals, sumStats } from "../journal/journals.ts";
import type { Log } from "../log.server.ts";
import type { State } from "../stores/state/state.ts";
import { createDiskMeter, type DiskMeter } from "./disk-meter.server.ts";
import { limitJournalDisk } from "./limit-journal-disk.server.ts";
import type { Metrics } from "./metrics.server.ts";
import { createSelfMonitoring, type SelfMonitoring } from "./self-monitoring.server.ts";

/** The part before the journal, and the journal: who may send, and how much. Culprit's own reports enter here, too. */
interface IngestSide {
  journals: Journals;
  meter: DiskMeter;
  disk: JournalDisk;
  keys: KeyRing;
  quotas: QuotaLimiter;
  ingest: Ingest;
  selfMonitoring: SelfMonitoring;
}

interface IngestSideOptions {
  config: Config;
  journalDir: string;
  /** The release of Culprit's own events. */
  release: string;
  loadSdk: MonitoringOptions["loadSdk"];
  state: State;
  metrics: Metrics;
  /** The URL of this server, once it is known. */
  baseUrl: () => string;
  onAccepted: (eventId: string, sequence: number, projectId: number) => void;
  log: Log;
  now: () => number;
}

export async function openIngestSide({
  config,
  journalDir,
  release,
  loadSdk,
  state,
  metrics,
  baseUrl,
  onAccepted,
  log,
  now,
}: IngestSideOptions): Promise<IngestSide> {
  const meter = createDiskMeter(config.dataDir);
  const disk = limitJournalDisk(meter, config.storage);
  const journals = await openJournals({
    dir: journalDir,
    log: log.child({ part: "journal" }),
    ...config.journal,
    disk,
    appliedSequence: (journalId) => state.batches.appliedSequence(journalId),
  });
  metrics.watch({
    backlog() {
      const { backlogRecords, backlogBytes, oldestWaitsSince } = sumStats(journals);
      return { records: backlogRecords, bytes: backlogBytes, oldestWaitsSince };
    },
    disk: meter.read,
  });
  const ingestLog = log.child({ part: "ingest" });
  const keyLimiter = createKeyRateLimiter();
  const quotas = createQuotaLimiter({ index: state.quotaIndex, keys: keyLimiter, now, log: ingestLog });
  const keys = createKeyRing({ directory: state.directory, quotas, log: ingestLog });
  await keys.reload();

  const selfMonitoring = createSelfMonitoring({
    config: config.monitoring,
    release,
    loadSdk,
    state,
    baseUrl,
    deliver: (body, publicKey) => ingest.ingestEnvelope({ body, publicKey }),
    log: log.child({ part: "monitoring" }),
  });
  const ingest = createIngest({
    journals,
    keys,
    keyLimiter,
    quotas,
    limits: { ...DEFAULT_INGEST_LIMITS, ...config.ingest },
    onAccepted,
    now,
    randomId: () => randomBytes(16).toString("hex"),
    log: ingestLog,
    metrics: {
      accepted: metrics.accepted,
      refused: metrics.refused,
      answered: (_, durationMs) => metrics.ingestAnswered(durationMs),
    },
    trustProxy: config.server.trustProxy,
    neutralPaths: config.neutralPaths,
    reportDialog: Buffer.from(reportDialogScript()),
    tunnel: {
      targets: selfMonitoring.tunnelTargets,
      ...(selfMonitoring.forward && { forward: selfMonitoring.forward }),
    },
  });
  return { journals, meter, disk, keys, quotas, ingest, selfMonitoring };
}
