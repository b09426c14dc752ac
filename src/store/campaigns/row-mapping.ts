import { z } from 'zod';
import { type ProblemCounts, type RejectedRow, rowProblemSchema } from '../../domain/csv/rejected-row.ts';
import { campaignPauseSchema } from '../schema/campaigns.ts';
import type { CampaignRow } from './campaign-tables.ts';
import type { Campaign, CampaignPause, Chunk } from './campaigns.ts';
import { firstLine, readDigits } from './chunk-content.ts';

/** Returns the campaign without its text and columns. `id` is passed apart, since the row of a discarded campaign has none. */
export function toCampaign(row: CampaignRow, id: string): Campaign {
  const { state, message_channel: channel, message_ts: ts } = row;
  if (state === 'discarded') {
    throw new TypeError('A discarded campaign is shown to nobody');
  }
  return {
    workspaceId: row.workspace_id,
    id,
    sequence: row.sequence,
    createdBy: row.created_by,
    name: row.name,
    route: row.route,
    senderId: row.sender_id,
    personal: row.personal === 1,
    retryOf: row.retry_of ?? undefined,
    state,
    counts: {
      recipients: row.recipients,
      duplicates: row.duplicates,
      suppressed: row.suppressed,
      acceptedBefore: row.accepted_before,
      invalid: row.invalid,
      pages: row.pages,
      fewestPages: row.fewest_pages,
      mostPages: row.most_pages,
      quiet: row.quiet,
      accepted: row.accepted,
      rejected: row.rejected,
      unconfirmed: row.unconfirmed,
      chunks: row.chunks,
    },
    invalidByProblem:
      row.invalid_by_problem === null
        ? undefined
        : problemCountsSchema.parse(JSON.parse(row.invalid_by_problem)),
    countries: readCountries(row.countries),
    countryPages: readCountries(row.country_pages),
    inFlight: row.in_flight,
    channelId: row.channel_id ?? undefined,
    startAt: toDate(row.start_at),
    latestStart: toDate(row.latest_start),
    zone: row.zone ?? undefined,
    pause: readPause(row.pause),
    lastActionBy: row.last_action_by ?? undefined,
    createdAt: new Date(row.created_at),
    startedAt: toDate(row.started_at),
    endedAt: toDate(row.ended_at),
    balance: row.balance ?? undefined,
    message: channel === null || ts === null ? undefined : { channel, ts },
  };
}

export function toDate(milliseconds: number | null): Date | undefined {
  return milliseconds === null ? undefined : new Date(milliseconds);
}

/** Returns how many of something each country has. */
export function readCountries(json: string | null): Record<string, number> | undefined {
  return json === null ? undefined : countriesSchema.parse(JSON.parse(json));
}

export function readPause(json: string | null): CampaignPause | undefined {
  return json === null ? undefined : campaignPauseSchema.parse(JSON.parse(json));
}

const countriesSchema = z.record(z.string(), z.number());

const problemCountsSchema: z.ZodType<ProblemCounts> = z.partialRecord(rowProblemSchema, z.number());

/** The recipients of a chunk as they are stored. */
export type ChunkContent = Pick<Chunk, 'to' | 'text' | 'cells'>;

/**
 * Numbers without their plus in the first line, which is shorter than JSON by a quarter; their rows of the file behind a
 * tab there, as JSON, which has neither tabs nor line breaks; the text in the lines after it.
 */
export function writeRecipients({ to, text, cells = [] }: ChunkContent): string {
  const numbers = to.map((number) => number.slice(1)).join(' ');
  const rows = cells.some((row) => row.length > 0) ? `\t${JSON.stringify(cells.map(wellFormed))}` : '';
  return text === undefined ? `${numbers}${rows}` : `${numbers}${rows}\n${text}`;
}

/** A file may hold half a surrogate pair, which cannot be encrypted. */
const wellFormed = (cells: readonly string[]) => cells.map((cell) => cell.toWellFormed());

/** Returns the numbers in E.164. */
export function readRecipients(content: string): ChunkContent {
  const { digits, text } = readDigits(content);
  const line = firstLine(content);
  const tab = line.indexOf('\t');
  const cells = tab < 0 ? undefined : cellsSchema.parse(JSON.parse(line.slice(tab + 1)));
  return { to: digits.map((number) => `+${number}`), text, ...(cells && { cells }) };
}

const cellsSchema = z.array(z.array(z.string()));

export function writeColumns(columns: readonly string[]): string {
  return JSON.stringify(wellFormed(columns));
}

export function readColumns(content: string): string[] {
  return z.array(z.string()).parse(JSON.parse(content));
}

const rejectedRowsSchema = z.array(
  z.tuple([z.number(), z.string(), z.string(), z.array(z.string()).nullable(), rowProblemSchema.nullable()]),
);

export function writeRejectedRows(rows: readonly RejectedRow[]): string {
  return JSON.stringify(
    rows.map(({ line, text, reason, cells, problem }) => [
      line,
      text.toWellFormed(),
      reason.toWellFormed(),
      cells === undefined ? null : wellFormed(cells),
      problem ?? null,
    ]),
  );
}

export function readRejectedRows(content: string): RejectedRow[] {
  return rejectedRowsSchema.parse(JSON.parse(content)).map(([line, text, reason, cells, problem]) => ({
    line,
    text,
    reason,
    ...(cells && { cells }),
    ...(problem && { problem }),
  }));
}
