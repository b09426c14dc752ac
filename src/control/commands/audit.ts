import { parseArgs } from 'node:util';
import { z } from 'zod';
import { streamCsv } from '../../domain/csv/write-csv.ts';
import { StartupError } from '../../lib/startup-error.ts';
import { auditColumns, auditFormats, auditLine } from '../../services/audit/audit-rows.ts';
import type { AuditService } from '../../services/audit/audit-service.ts';
import type { AuditProblem } from '../../store/audit/find-problems.ts';
import { type CommandContext, type ControlCommand, createControlCommand } from '../command.ts';

export const auditName = 'audit';

const exportSchema = z.object({
  do: z.literal('export'),
  workspaceId: z.string(),
  format: z.enum(auditFormats),
  /** Milliseconds since 1970. */
  from: z.number().optional(),
  until: z.number().optional(),
});
const inputSchema = z.discriminatedUnion('do', [z.object({ do: z.literal('verify') }), exportSchema]);

export type AuditInput = z.infer<typeof inputSchema>;

const usage = `npm run audit -- verify
npm run audit -- export --workspace T0123456789 [--format csv|jsonl] [--from 2026-01-01] [--until 2026-02-01]
Days are those of UTC; --until is not included. The workspace * has what concerns the whole installation.`;

/** @throws StartupError that says how the command is called */
export function readAuditInput(argv: readonly string[]): AuditInput {
  const [task, ...rest] = argv;
  if (task === 'verify' && rest.length === 0) {
    return { do: 'verify' };
  }
  if (task === 'export') {
    const { workspace, format = 'csv', from, until } = readOptions(rest);
    const known = auditFormats.find((name) => name === format);
    if (workspace !== undefined && known !== undefined) {
      const period = { from: readDay(from), until: readDay(until) };
      return { do: 'export', workspaceId: workspace, format: known, ...period };
    }
  }
  throw new StartupError(usage);
}

function readOptions(args: string[]) {
  const option = { type: 'string' } as const;
  try {
    return parseArgs({ args, options: { workspace: option, format: option, from: option, until: option } })
      .values;
  } catch {
    throw new StartupError(usage);
  }
}

function readDay(text: string | undefined): number | undefined {
  if (text === undefined) {
    return undefined;
  }
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(at)) {
    throw new StartupError(usage);
  }
  return at;
}

/** `npm run audit`: checks the audit, or writes one of a workspace to the terminal. */
export function createAuditCommand(audit: AuditService): ControlCommand {
  return createControlCommand(auditName, inputSchema, (input, context) =>
    input.do === 'verify' ? verify(audit, context) : write(audit, input, context),
  );
}

async function verify(audit: AuditService, { print, warn, signal }: CommandContext): Promise<number> {
  const { workspaces, entries, problems } = await audit.verify({
    signal,
    onProblem: (problem) => warn(describeProblem(problem)),
  });
  await print(`${count(entries, 'entry', 'entries')} of ${count(workspaces, 'workspace')} checked`);
  if (signal.aborted) {
    await warn('Stopped before the end: the rest was not checked.');
    return 130;
  }
  await print(problems === 0 ? 'Nothing was changed.' : `${count(problems, 'problem')} found, see above.`);
  return problems === 0 ? 0 : 1;
}

async function write(
  audit: AuditService,
  { workspaceId, format, from, until }: z.infer<typeof exportSchema>,
  { print, signal }: CommandContext,
): Promise<number> {
  const entries = audit.all({
    workspaceId,
    from: from === undefined ? undefined : new Date(from),
    until: until === undefined ? undefined : new Date(until),
  });
  const entry = { workspaceId, action: 'audit.export', details: { format } } as const;
  await audit.recordExport(entry, async () => {
    let rows = 0;
    for await (const line of format === 'csv' ? streamCsv(auditColumns, entries) : linesOf(entries)) {
      if (signal.aborted) {
        break;
      }
      await print(line.trimEnd());
      rows += 1;
    }
    return format === 'csv' ? rows - 1 : rows;
  });
  return 0;
}

async function* linesOf(entries: ReturnType<AuditService['all']>): AsyncGenerator<string> {
  for await (const entry of entries) {
    yield auditLine(entry);
  }
}

const problemTexts: Readonly<Record<AuditProblem['kind'], string>> = {
  changed: 'was changed',
  moved: 'stands in another place',
  inserted: 'was inserted',
  missing: 'is missing',
  cut_off: 'was cut off at the end',
  found_before: 'says that where the audit ends had been changed when it was written',
  ends_changed: 'the record of where its entries begin and end was changed',
  ends_missing: 'the record of where its entries begin and end is missing',
  chain_unknown: 'is not in the register of workspaces',
  register_changed: 'the register of workspaces was changed',
  key_missing: 'the key is missing, so nothing can be checked',
  key_unreadable: 'the key was changed, so nothing can be checked',
};

function describeProblem({ workspaceId, kind, from, to, was }: AuditProblem): string {
  const text = problemTexts[kind];
  const where = workspaceId === '*' ? 'The installation' : `Workspace ${workspaceId}`;
  if (from === undefined) {
    return `${where}: ${text}`;
  }
  const entries = to === undefined || to === from ? `entry ${from}` : `entries ${from} to ${to}`;
  return `${where}: ${entries} ${text}${was === undefined ? '' : `: it was entry ${was}`}`;
}

function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? noun : plural}`;
}
