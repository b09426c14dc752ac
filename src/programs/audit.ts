// npm run audit: the folder and the keys are read from the settings.
import { auditName, createAuditCommand, readAuditInput } from '../control/commands/audit.ts';
import { runScript } from '../control/script.ts';
import { createAuditService } from '../services/audit/audit-service.ts';
import { openAudit } from '../store/audit/open-audit.ts';

await runScript({
  command: auditName,
  input: (_settings, argv) => readAuditInput(argv),
  async open(settings, report) {
    const { trail, close } = await openAudit(settings);
    const audit = createAuditService({ trail, report });
    return { command: createAuditCommand(audit), close };
  },
});
