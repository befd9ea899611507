import type { MonitorStore } from "../../state/monitor-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { createStoreMethods } from "../store-methods.ts";
import * as changedMonitors from "./change-monitors.ts";
import * as monitors from "./monitors.ts";
import { loadDowntimes } from "./watched-environments.ts";

export function createMonitorStore(db: SqliteConnection): MonitorStore {
  const { read, write } = createStoreMethods(db);
  return {
    listMonitors: read(monitors.listMonitors),
    listByState: read(monitors.listByState),
    getMonitor: read(monitors.getMonitor),
    listRuns: read(monitors.listRuns),
    sumRuns: read(monitors.sumRuns),
    listTicks: read(monitors.listTicks),
    listDowntimes: read(loadDowntimes),
    createMonitor: write(changedMonitors.createMonitor),
    changeMonitor: write(changedMonitors.changeMonitor),
    pause: write(changedMonitors.pause),
    deleteMonitor: write(changedMonitors.deleteMonitor),
  };
}
