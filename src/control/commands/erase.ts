import { z } from 'zod';
import { phoneNumberSchema } from '../../domain/phone/phone-number.ts';
import { StartupError } from '../../lib/startup-error.ts';
import type { ErasureService } from '../../services/erasure/erasure-service.ts';
import type { ErasureCounts } from '../../store/erasure/erased-person.ts';
import { type CommandContext, type ControlCommand, createControlCommand } from '../command.ts';

export const eraseName = 'erase';

const inputSchema = z.object({ number: phoneNumberSchema, workspaceId: z.string().optional() });

const usage = 'npm run erase -- +2348031234567 [--workspace T0123ABCD]';

/** @throws StartupError that says how the command is called */
export function readEraseArguments(argv: readonly string[]): z.input<typeof inputSchema> {
  const [number = '', flag, workspaceId, ...rest] = argv;
  const hasWorkspace = flag === '--workspace' && workspaceId !== undefined && rest.length === 0;
  if (argv.length !== 1 && !hasWorkspace) {
    throw new StartupError(`One phone number, with its country code: ${usage}`);
  }
  if (!phoneNumberSchema.safeParse(number).success) {
    throw new StartupError(
      `This is no phone number with a plus and its country code. Nothing was erased. ${usage}`,
    );
  }
  return { number, workspaceId };
}

/** `npm run erase`: removes a person from everything that is stored, see `ErasureService`. */
export function createEraseCommand(erasure: Pick<ErasureService, 'workspaces' | 'erase'>): ControlCommand {
  return createControlCommand(eraseName, inputSchema, async ({ number, workspaceId }, context) => {
    const { print, warn, signal } = context;
    const all = await erasure.workspaces();
    if (workspaceId !== undefined && !all.includes(workspaceId)) {
      await warn(`Nothing is stored of a workspace ${workspaceId}. Nothing was erased.`);
      return 1;
    }
    const workspaceIds = workspaceId === undefined ? all : [workspaceId];
    await print(`Searching ${plural(workspaceIds.length, 'workspace')} …`);
    const { counts, isComplete } = await erasure.erase({ workspaceIds, number, signal });
    await report(counts, context);
    if (!isComplete) {
      await warn(
        'Stopped before the end. Run this again for the rest; otherwise the next start of the program does it.',
      );
      return 130;
    }
    for (const line of whatStays(counts)) {
      await print(line);
    }
    return 0;
  });
}

async function report(counts: ErasureCounts, { print }: CommandContext): Promise<void> {
  const removed = [
    plural(counts.operations, 'entry of the history', 'entries of the history'),
    plural(counts.texts, 'message text'),
    `${plural(counts.recipients, 'recipient')} of campaigns, ${counts.skipped.toLocaleString('en')} of them not sent to yet`,
    plural(counts.rows, 'row of files', 'rows of files'),
    plural(counts.values, 'draft, code or preference', 'drafts, codes and preferences'),
  ];
  await print(`Removed: ${removed.join('; ')}.`);
}

function whatStays({ listed, keptTexts }: ErasureCounts): string[] {
  return [
    ...(listed === 0
      ? []
      : [
          `On ${plural(listed, 'do-not-contact list')} a hash stays, so that no campaign goes to the number.`,
        ]),
    ...(keptTexts === 0
      ? []
      : [
          `${plural(keptTexts, 'text')} of campaigns that are not finished mention the number, and stay: run this again once they have ended.`,
        ]),
    'Slack keeps the messages and files that are there; the provider keeps its records and phonebooks; the audit keeps masked numbers until it expires.',
    'Backups keep what they had.',
  ];
}

function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
