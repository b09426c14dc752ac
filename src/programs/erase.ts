// npm run erase -- +2348031234567: the folder and the keys are read from the settings.
import { createEraseCommand, eraseName, readEraseArguments } from '../control/commands/erase.ts';
import { runScript } from '../control/script.ts';
import { createAuditService } from '../services/audit/audit-service.ts';
import { createErasureService } from '../services/erasure/erasure-service.ts';
import { openStore } from '../store/store.ts';

await runScript({
  command: eraseName,
  input: (_, argv) => readEraseArguments(argv),
  async open(settings, report) {
    const store = await openStore(settings);
    const erasure = createErasureService({
      erasure: store.erasure,
      instances: store.instances,
      keyv: store.keyv,
      audit: createAuditService({ trail: store.audit, report }),
      purge: store.purge,
      onRemoved: async () => {},
    });
    return { command: createEraseCommand(erasure), close: store.close };
  },
});
