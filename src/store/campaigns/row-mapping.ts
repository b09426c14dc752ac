import { z } from 'zod';
import { versionOf } from '../../domain/campaigns/campaign-version.ts';
import { type RejectedRow, rowProblemSchema } from '../../domain/csv/rejected-row.ts';
import type { Encryption } from '../engine/encryption/cipher.ts';
import { additionalDataOf } from '../engine/encryption/encrypted-column.ts';
import { encryptedColumn, type Row } from '../schema/schema.ts';
import type { Campaign, Chunk, NewCampaign } from './campaigns.ts';
import { firstLine, readDigits } from './chunk-content.ts';

/** Returns the campaign with its text; undefined for a discarded one. */
export function toCampaignWithText(row: Row<'campaign'>, encryption: Encryption): Campaign | undefined {
  const { id, text, columns } = row;
  if (id === undefined) {
    return undefined;
  }
  const decrypt = (column: 'text' | 'columns', value: string) =>
    encryption.decrypt(value, additionalDataOf(encryptedColumn('campaign', column), row));
  return {
    ...toCampaign(row, id),
    text: text === undefined ? undefined : decrypt('text', text),
    columns: columns === undefined ? undefined : readColumns(decrypt('columns', columns)),
  };
}

/** Encrypts a campaign's text and columns, bound to its id. */
export function encryptContent(
  encryption: Encryption,
  { text, columns, ...row }: Pick<NewCampaign, 'workspaceId' | 'id' | 'text'> & Pick<Campaign, 'columns'>,
): { text: string; columns?: string } {
  const encrypt = (column: 'text' | 'columns', value: string) =>
    encryption.encrypt(value, additionalDataOf(encryptedColumn('campaign', column), row));
  return {
    text: encrypt('text', text),
    ...(columns && { columns: encrypt('columns', writeColumns(columns)) }),
  };
}

/** Returns the campaign without its text and columns. `id` is passed apart: the row of a discarded campaign lacks it. */
export function toCampaign(row: Row<'campaign'>, id: string): Campaign {
  const { state, messageChannel: channel, messageTs: ts } = row;
  if (state === 'discarded') {
    throw new TypeError('A discarded campaign is shown to nobody');
  }
  return {
    workspaceId: row.workspaceId,
    id,
    sequence: row.sequence,
    version: versionOf(row.digest, row),
    listSize: row.listSize,
    createdBy: row.createdBy,
    name: row.name,
    route: row.route,
    senderId: row.senderId,
    personal: row.personal,
    withoutAccents: row.withoutAccents,
    isMessage: row.isMessage,
    bySlackbot: row.bySlackbot,
    retryOf: row.retryOf,
    followUpOf: row.followUpOf,
    occurrence:
      row.occurrenceOf === undefined || row.occurrenceAt === undefined
        ? undefined
        : { of: row.occurrenceOf, at: row.occurrenceAt },
    state,
    counts: {
      recipients: row.recipients,
      duplicates: row.duplicates,
      suppressed: row.suppressed,
      acceptedBefore: row.acceptedBefore,
      invalid: row.invalid,
      pages: row.pages,
      fewestPages: row.fewestPages,
      mostPages: row.mostPages,
      quiet: row.quiet,
      accepted: row.accepted,
      rejected: row.rejected,
      unconfirmed: row.unconfirmed,
      chunks: row.chunks,
    },
    invalidByProblem: row.invalidByProblem,
    countries: row.countries,
    countryPages: row.countryPages,
    inFlight: row.inFlight,
    channelId: row.channelId,
    startAt: row.startAt,
    latestStart: row.latestStart,
    zone: row.zone,
    seen: row.seen,
    repeat: row.repeat,
    pause: row.pause,
    lastActionBy: row.lastActionBy,
    createdAt: row.createdAt,
    startedAt: row.startedAt,
    endedAt: row.endedAt,
    balance: row.balance,
    message: channel === undefined || ts === undefined ? undefined : { channel, ts },
  };
}

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
