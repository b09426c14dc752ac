import type { Selectable } from 'kysely';
import { z } from 'zod';
import { operationErrorSchema } from '../operations/ledger.ts';
import type { Schema } from '../schema.ts';
import type { Campaign, CampaignPause, RejectedRow } from './campaigns.ts';

/** What the files on campaigns share. */
export type CampaignRow = Selectable<Schema['campaign']>;

/** The campaign without its text. `id` is given, since a row need not have one. */
export function toCampaign(row: CampaignRow, id: string): Campaign {
  const state = row.state;
  if (state === 'discarded') {
    throw new TypeError('A discarded campaign is shown to nobody');
  }
  const { message_channel: channel, message_ts: ts } = row;
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
    pause: row.pause === null ? undefined : pauseSchema.parse(JSON.parse(row.pause)),
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

const pauseSchema: z.ZodType<CampaignPause> = z.object({
  by: z.enum(['person', 'provider', 'program']),
  userId: z.string().optional(),
  error: operationErrorSchema.optional(),
});

/** Shorter than JSON by a quarter: numbers without their plus in the first line, the text in those after it. */
export function writeContent(to: readonly string[], text: string | undefined): string {
  const numbers = to.map((number) => number.slice(1)).join(' ');
  return text === undefined ? numbers : `${numbers}\n${text}`;
}

export function readContent(content: string): { digits: string[]; text?: string } {
  const end = content.indexOf('\n');
  const digits = (end < 0 ? content : content.slice(0, end)).split(' ');
  return end < 0 ? { digits } : { digits, text: content.slice(end + 1) };
}

/** The same with whole numbers. */
export function readRecipients(content: string): { to: string[]; text?: string } {
  const { digits, ...rest } = readContent(content);
  return { to: digits.map((number) => `+${number}`), ...rest };
}

const leftOutSchema = z.array(z.tuple([z.number(), z.string(), z.string()]));

export function writeRejectedRows(rows: readonly RejectedRow[]): string {
  return JSON.stringify(rows.map(({ line, text, reason }) => [line, text, reason]));
}

export function readRejectedRows(content: string): RejectedRow[] {
  return leftOutSchema.parse(JSON.parse(content)).map(([line, text, reason]) => ({ line, text, reason }));
}
