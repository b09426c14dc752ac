// npm run audit: checks the audit of all workspaces, or writes one workspace's audit to the standard output.
import { parseArgs } from 'node:util';
import { readSettings } from '../config/settings.ts';
import { streamCsv } from '../domain/csv/write-csv.ts';
import { StartupError } from '../lib/startup-error.ts';
import {
  type AuditFormat,
  type AuditService,
  auditColumns,
  auditFormats,
  auditLine,
  createAuditService,
  describeProblem,
} from '../services/audit/audit-service.ts';
import { installationId } from '../store/audit/audit-chain.ts';
import { openAudit } from '../store/audit/open-audit.ts';
import { plural, runInTerminal, type Terminal } from './terminal.ts';

const usage = `npm run audit -- verify
npm run audit -- export --workspace T0123456789 [--format csv|jsonl] [--from 2026-01-01] [--until 2026-02-01]
Days are in UTC, and --until is exclusive. The workspace * has the entries of the whole installation.`;

interface WantedEntries {
  workspaceId: string;
  format: AuditFormat;
  from: Date | undefined;
  until: Date | undefined;
}

await runInTerminal(async (terminal) => {
  const wanted = readArguments(process.argv.slice(2));
  const { trail, close } = await openAudit(await readSettings(process.env));
  const audit = createAuditService({ trail, report: terminal.report });
  try {
    return await (wanted === 'verify' ? verify(audit, terminal) : write(audit, wanted, terminal));
  } finally {
    await close();
  }
});

/** @throws StartupError that says how the command is called */
function readArguments(argv: readonly string[]): 'verify' | WantedEntries {
  const [task, ...rest] = argv;
  if (task === 'verify' && rest.length === 0) {
    return 'verify';
  }
  if (task === 'export') {
    const { workspace, format = 'csv', from, until } = readOptions(rest);
    const known = auditFormats.find((name) => name === format);
    if (workspace !== undefined && known !== undefined) {
      return { workspaceId: workspace, format: known, from: readDay(from), until: readDay(until) };
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

function readDay(text: string | undefined): Date | undefined {
  if (text === undefined) {
    return undefined;
  }
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(at)) {
    throw new StartupError(usage);
  }
  return new Date(at);
}

async function verify(audit: AuditService, { print, warn, signal }: Terminal): Promise<number> {
  const { workspaces, entries, problems } = await audit.verify({
    signal,
    onProblem: (problem) => {
      const { workspaceId } = problem;
      const where = workspaceId === installationId ? 'The installation' : `Workspace ${workspaceId}`;
      return warn(`${where}: ${describeProblem(problem)}`);
    },
  });
  await print(`${plural(entries, 'entry', 'entries')} of ${plural(workspaces, 'workspace')} checked`);
  if (signal.aborted) {
    await warn('Stopped before the end: the rest was not checked.');
    return 130;
  }
  await print(problems === 0 ? 'Nothing was changed.' : `${plural(problems, 'problem')} found, see above.`);
  return problems === 0 ? 0 : 1;
}

async function write(
  audit: AuditService,
  { workspaceId, format, from, until }: WantedEntries,
  { print, signal }: Terminal,
): Promise<number> {
  const entries = audit.all({ workspaceId, from, until });
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
