import { openDigestFolder } from "../support/digest-folder.ts";
import { PassFolder } from "../support/pass-folder.ts";

// Run by join-kill.test.ts as a process of its own: two issues turn out to be one, and the process is killed when the one that
// ends has ended in the state store, while an event of it has just come to the event store. Never ends by itself.

const [dir = ""] = process.argv.slice(2);
const pass = new PassFolder(await openDigestFolder({ dir }));
const { events } = pass.folder;
const { state } = pass.folder.stores;
await pass.store("terser", 3);
await pass.store("rolldown", 2);
const [, ending] = await pass.issues();
await pass.upload("rolldown");
await pass.upload("terser");

pass.start({
  state: {
    ...state,
    reprocessing: {
      ...state.reprocessing,
      async regroupEvents(change) {
        if (change.fromIssueId !== ending?.id) return await state.reprocessing.regroupEvents(change);
        await pass.store("rolldown", 1, {
          events: {
            findExisting: (keys) => events.findExisting(keys),
            async append(batch) {
              await state.reprocessing.regroupEvents(change);
              return await events.append(batch);
            },
          },
        });
        process.kill(process.pid, "SIGKILL");
        return await new Promise(() => {});
      },
    },
  },
});
// Timers of the pass hold no process.
setInterval(() => {}, 1_000);
