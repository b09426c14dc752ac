// npm run erase -- +2348031234567: removes a person from everything that is stored, see `ErasureService`.
import { readSettings } from '../config/settings.ts';
import { type PhoneNumber, phoneNumberSchema } from '../domain/phone/phone-number.ts';
import { StartupError } from '../lib/startup-error.ts';
import { createWorkspaceCaches } from '../lib/workspace-caches.ts';
import { createAuditService } from '../services/audit/audit-service.ts';
import { nameOf } from '../services/campaigns/sending/running-campaigns.ts';
import { createErasureService, type ErasureService } from '../services/erasure/erasure-service.ts';
import { openErasure } from '../store/erasure/erasure.ts';
import type { ErasureCounts } from '../store/erasure/erasure-context.ts';
import { plural, runInTerminal, type Terminal } from './terminal.ts';

const usage = 'npm run erase -- +2348031234567 [--workspace T0123ABCD]';

interface Wanted {
  number: PhoneNumber;
  workspaceId: string | undefined;
}

await runInTerminal(async (terminal) => {
  const wanted = readArguments(process.argv.slice(2));
  const { erasure, instances, keyv, trail, purge, broadcast, close } = await openErasure(
    await readSettings(process.env),
    terminal.report,
  );
  const service = createErasureService(
    {
      store: { erasure, instances, keyv, purge },
      audit: createAuditService({ trail, report: terminal.report }),
    },
    {
      campaigns: {
        async lostRecipients(workspaceId, campaigns) {
          for (const id of campaigns) {
            broadcast.send('campaigns', nameOf({ workspaceId, id }));
          }
        },
      },
    },
  );
  service.onErased(createWorkspaceCaches(broadcast).drop);
  try {
    return await erase(service, wanted, terminal);
  } finally {
    await close();
  }
});

/** @throws StartupError that says how the command is called */
function readArguments(argv: readonly string[]): Wanted {
  const [typedNumber = '', flag, workspaceId, ...rest] = argv;
  const hasWorkspace = flag === '--workspace' && workspaceId !== undefined && rest.length === 0;
  if (argv.length !== 1 && !hasWorkspace) {
    throw new StartupError(`One phone number, with its country code: ${usage}`);
  }
  const number = phoneNumberSchema.safeParse(typedNumber);
  if (!number.success) {
    throw new StartupError(
      `This isn’t a phone number with a plus and its country code. Nothing was erased. ${usage}`,
    );
  }
  return { number: number.data, workspaceId };
}

async function erase(
  erasure: ErasureService,
  { number, workspaceId }: Wanted,
  { print, warn, signal }: Terminal,
): Promise<number> {
  const all = await erasure.workspaces();
  if (workspaceId !== undefined && !all.includes(workspaceId)) {
    await warn(`Nothing is stored about a workspace ${workspaceId}. Nothing was erased.`);
    return 1;
  }
  const workspaceIds = workspaceId === undefined ? all : [workspaceId];
  await print(`Searching ${plural(workspaceIds.length, 'workspace')} …`);
  const { counts, isComplete } = await erasure.erase({ workspaceIds, number, signal });
  await print(`Removed: ${whatWent(counts).join('; ')}.`);
  if (!isComplete) {
    await warn(
      'Stopped before the end. Run this again to finish, or start Switchboard, which then finishes it.',
    );
    return 130;
  }
  for (const line of whatStays(counts)) {
    await print(line);
  }
  return 0;
}

function whatWent(counts: ErasureCounts): string[] {
  return [
    plural(counts.operations, 'entry of the history', 'entries of the history'),
    plural(counts.texts, 'message text'),
    `${plural(counts.recipients, 'recipient')} of campaigns, ${counts.skipped.toLocaleString('en')} of them not sent to yet`,
    plural(counts.rows, 'row of files', 'rows of files'),
    plural(counts.values, 'draft, code or preference', 'drafts, codes and preferences'),
  ];
}

function whatStays({ listed, keptTexts }: ErasureCounts): string[] {
  return [
    ...(listed === 0
      ? []
      : [
          `On ${plural(listed, 'do-not-contact list')} a hash stays, so that campaigns keep skipping the number.`,
        ]),
    ...(keptTexts === 0
      ? []
      : [
          `Kept: ${plural(keptTexts, 'text')} of unfinished campaigns, with the number in ${keptTexts === 1 ? 'it' : 'them'}. Run this again once the campaigns have ended.`,
        ]),
    'Slack keeps the messages and files that are there; the provider keeps its records and phonebooks; the audit keeps masked numbers until it expires.',
    'Backups keep what they had.',
  ];
}
