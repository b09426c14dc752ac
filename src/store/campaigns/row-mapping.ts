import { z } from 'zod';
import type { RejectedRow } from '../../domain/csv/rejected-row.ts';
import { operationErrorSchema } from '../operations/operation-error.ts';
import type { CampaignRow } from './campaign-tables.ts';
import type { Campaign, CampaignPause } from './campaigns.ts';

/** Returns the campaign without its text. `id` is passed apart, since the row of a discarded campaign has none. */
export function toCampaign(row: CampaignRow, id: string): Campaign {
  const { state, message_channel: channel, message_ts: ts } = row;
  if (state === 'discarded') {
    throw new TypeError('A discarded campaign is shown to nobody');
  }
  return {
    workspaceId: row.workspace_id,
    id,
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

function toDate(milliseconds: number | null): Date | undefined {
  return milliseconds === null ? undefined : new Date(milliseconds);
}

export function readPause(json: string | null): CampaignPause | undefined {
  return json === null ? undefined : pauseSchema.parse(JSON.parse(json));
}

const pauseSchema: z.ZodType<CampaignPause> = z.object({
  by: z.enum(['person', 'provider', 'program']),
  userId: z.string().optional(),
  error: operationErrorSchema.optional(),
});

/** Shorter than JSON by a quarter: numbers without their plus in the first line, the text in those after it. */
export function writeRecipients(to: readonly string[], text: string | undefined): string {
  const numbers = to.map((number) => number.slice(1)).join(' ');
  return text === undefined ? numbers : `${numbers}\n${text}`;
}

/** Returns the numbers without their plus, as the provider takes them. */
export function readDigits(content: string): { digits: string[]; text?: string | undefined } {
  const end = content.indexOf('\n');
  const digits = (end < 0 ? content : content.slice(0, end)).split(' ');
  return { digits, text: end < 0 ? undefined : content.slice(end + 1) };
}

/** Returns the numbers in E.164. */
export function readRecipients(content: string): { to: string[]; text?: string | undefined } {
  const { digits, text } = readDigits(content);
  return { to: digits.map((number) => `+${number}`), text };
}

const rejectedRowsSchema = z.array(z.tuple([z.number(), z.string(), z.string()]));

/** A file may hold half a surrogate pair, which cannot be encrypted. */
export function writeRejectedRows(rows: readonly RejectedRow[]): string {
  return JSON.stringify(
    rows.map(({ line, text, reason }) => [line, text.toWellFormed(), reason.toWellFormed()]),
  );
}

export function readRejectedRows(content: string): RejectedRow[] {
  return rejectedRowsSchema
    .parse(JSON.parse(content))
    .map(([line, text, reason]) => ({ line, text, reason }));
}
