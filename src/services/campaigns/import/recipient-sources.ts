import { idempotencyKey } from '../../../domain/access/request-keys.ts';
import type { AudiencePart } from '../../../domain/campaigns/audience.ts';
import { type CsvRow, catchCsvFault, readCsv, refuseTooManyRows } from '../../../domain/csv/read-csv.ts';
import {
  nameColumns,
  openRecipients,
  type RecipientRow,
  type RecipientTable,
} from '../../../domain/csv/recipient-rows.ts';
import type { ChosenReading } from '../../../domain/csv/table-reading.ts';
import type { CountryCode } from '../../../domain/phone/countries.ts';
import {
  type PhoneNumber,
  phoneNumberSchema,
  provenNumberSchema,
} from '../../../domain/phone/phone-number.ts';
import { readNumbers } from '../../../domain/phone/read-numbers.ts';
import type { ProviderAccount } from '../../../provider/client.ts';
import { ProviderFailure } from '../../../provider/errors.ts';
import type { Contact } from '../../../provider/phonebooks.ts';
import type { Page } from '../../../provider/response/paging.ts';
import type { CampaignRepository } from '../../../store/campaigns/campaign-repository.ts';
import type { Campaign, ChunkState } from '../../../store/campaigns/campaigns.ts';

/** Where the recipients of a campaign come from. */
export type RecipientSource = ListSource | EarlierRecipients | RunRecipients | PartRecipients | Audience;

/** Recipients of an earlier campaign to reuse, in any state. */
export interface Audience {
  kind: 'audience';
  campaign: Campaign;
  part: AudiencePart;
  /** For `answered_with`: the keyword they replied with. */
  word?: string | undefined;
  /** Recipients of this campaign are excluded. */
  without?: Campaign | undefined;
  /** Where the new campaign follows up this one. */
  followUp?: FollowUp | undefined;
}

/** A follow-up skips recipients who already got one, unless `includesFollowedUp`. */
export interface FollowUp {
  includesFollowedUp: boolean;
}

/** A list that is read from outside. */
export type ListSource =
  /** A CSV file. `id` identifies its content; `open` reads it from the start at each call; `size` is in bytes. */
  | { kind: 'file'; id: string; name: string; size?: number | undefined; open(): AsyncIterable<Uint8Array> }
  | { kind: 'pasted'; text: string }
  | { kind: 'phonebook'; id: string; name: string };

export const maxRows = 1_000_000;

/** `reason` is a sentence for the user. */
export type OpenedSource = { ok: true; table: RecipientTable } | { ok: false; reason: string };

/** Opens the recipients of a campaign as a table whose rows are still to be read. */
export async function openSource(
  source: ListSource,
  options: { country: CountryCode; reading: ChosenReading | undefined; account: ProviderAccount },
): Promise<OpenedSource> {
  const { country, reading, account } = options;
  switch (source.kind) {
    case 'file':
      return catchCsvFault(async () => {
        const { size = 0, open } = source;
        // A longer file may have too many rows. It is fetched twice, so that it is refused before any row is stored.
        if (size > maxRows) {
          await refuseTooManyRows(open(), { maxRows });
        }
        const reopen = () => readCsv(open(), { maxRows });
        return openRecipients(reopen(), { country, reading, reopen });
      });
    case 'pasted': {
      // Text pasted from a spreadsheet is a table; any other is read like the recipients of a single message.
      const opened = await openRecipients(readCsv([Buffer.from(source.text)]), { country, reading });
      if (opened.ok) {
        const { columns, number, review } = opened.table;
        const isTable =
          columns.length > 1 && number.title !== undefined && !review?.doubts.includes('titles');
        if (isTable || reading !== undefined) {
          return opened;
        }
      }
      const rows = readLines(source.text, country);
      return { ok: true, table: { columns: [], number: { index: 0 }, isList: true, rows } };
    }
    case 'phonebook':
      return openPhonebook(account, source.id, country);
  }
}

async function* readLines(text: string, country: CountryCode): AsyncGenerator<RecipientRow> {
  for (const [index, content] of text.split(/\r\n|\r|\n/).entries()) {
    const line = index + 1;
    const { numbers, invalid } = readNumbers(content, country);
    for (const number of numbers) {
      yield { kind: 'recipient', line, number, value: () => '' };
    }
    for (const rejected of invalid) {
      yield { kind: 'invalid', line, ...rejected };
    }
  }
}

/** Reads contacts as the rows of a table. Columns of the user's own are taken from the first page (API §4.12). */
async function openPhonebook(
  account: ProviderAccount,
  phonebookId: string,
  country: CountryCode,
): Promise<OpenedSource> {
  const first = await account.phonebooks.contacts({ phonebookId });
  if (first.kind !== 'accepted') {
    return { ok: false, reason: first.error.message };
  }
  const ownColumns = new Set(first.value.records.flatMap(({ columns }) => columns.map(({ key }) => key)));
  const rows = contactRows(account.phonebooks.allContacts({ phonebookId }), [...ownColumns]);
  try {
    const opened = await openRecipients(rows, { country, reading: { titleLine: 0, column: 0 } });
    return opened.ok ? opened : { ok: false, reason: 'This phonebook has no contacts.' };
  } catch (error) {
    const reason = readFailure(error);
    if (reason === undefined) {
      throw error;
    }
    return { ok: false, reason };
  }
}

async function* contactRows(
  pages: AsyncIterable<Pick<Page<Contact>, 'records' | 'unreadable'>>,
  ownColumns: readonly string[],
): AsyncGenerator<CsvRow> {
  yield { line: 0, cells: ['Phone number', 'First name', 'Last name', 'Company', 'E-mail', ...ownColumns] };
  let line = 0;
  for await (const { records, unreadable } of pages) {
    for (const { phoneNumber = '', firstName, lastName, company, emailAddress, columns } of records) {
      line += 1;
      const values = new Map(columns.map(({ key, value }) => [key, value]));
      yield {
        line,
        cells: [
          // Listings return numbers in international format without the plus (API §2.6).
          phoneNumber === '' || phoneNumber.startsWith('0')
            ? phoneNumber
            : `+${phoneNumber.replace(/^\+/, '')}`,
          ...[firstName, lastName, company, emailAddress].map((value) => value ?? ''),
          ...ownColumns.map((key) => values.get(key) ?? ''),
        ],
      };
    }
    // Count them with the rows that have no number, so that nobody is dropped silently.
    for (const _ of unreadable) {
      line += 1;
      yield { line, cells: ['unreadable contact'] };
    }
  }
}

/** Returns the sentence for the user when the provider failed while its contacts were read. */
export function readFailure(error: unknown): string | undefined {
  return error instanceof ProviderFailure ? error.message : undefined;
}

/** Recipients of a campaign that has ended, by their state: each such rest is sent to by at most one other campaign. */
export const restKinds = ['not_sent', 'rejected', 'unconfirmed'] as const;
export type RestKind = (typeof restKinds)[number];

/** Recipients of another campaign as the source of a new one; `draft`: of a draft, which the new one replaces. */
export interface EarlierRecipients {
  kind: 'earlier';
  campaign: Campaign;
  which: RestKind | 'draft';
  followUp?: FollowUp | undefined;
}

/** Recipients of a campaign that a follow-up goes to. The rests get one at most, the others as many as are asked for. */
export const followUpGroups = ['not_delivered', ...restKinds, 'did_not_answer', 'all'] as const;
export type FollowUpGroup = (typeof followUpGroups)[number];

export function isRest(group: string): group is RestKind {
  return restKinds.some((kind) => kind === group);
}

/** The recipients of a draft that go into one part when it is split. */
export interface PartRecipients {
  kind: 'part';
  campaign: Campaign;
  has(number: PhoneNumber): boolean;
}

/** The recipients of a repeating campaign, for one of its runs. */
export interface RunRecipients {
  kind: 'run';
  campaign: Campaign;
  at: Date;
}

const chunkStates = {
  not_sent: 'waiting',
  rejected: 'rejected',
  unconfirmed: 'unconfirmed',
  draft: 'waiting',
} as const satisfies Record<EarlierRecipients['which'], ChunkState>;

/** Whether a campaign will never send again. A repeating campaign sends through its runs, never itself. */
export function hasEnded({ state, endedAt, repeat }: Campaign): boolean {
  return repeat === undefined && endedAt !== undefined && (state === 'done' || state === 'cancelled');
}

/** Returns how many recipients there are; undefined where the campaign may still send to them itself. */
export function countEarlier({ campaign, which }: Omit<EarlierRecipients, 'kind'>): number | undefined {
  const { state, counts, text } = campaign;
  if (which === 'draft') {
    return state === 'ready' ? counts.recipients : undefined;
  }
  if (text === undefined || !hasEnded(campaign)) {
    return undefined;
  }
  return which === 'not_sent'
    ? counts.recipients - counts.accepted - counts.rejected - counts.unconfirmed
    : counts[which];
}

/** In characters. The value of a menu’s option has room for an id of this length and its prefix. */
const maxIdLength = 80;

/**
 * Derived from the campaign's id, so that however often a rest is asked for, nobody is sent to twice. The id of a rest of a
 * rest of a rest would become too long.
 */
export function restId(id: string, which: RestKind): string {
  return `${id.length > maxIdLength ? idempotencyKey(id) : id}.${which}`;
}

/** Returns which rest of the earlier campaign this campaign goes to, if any. */
export function restOf({ id, retryOf }: Pick<Campaign, 'id' | 'retryOf'>): RestKind | undefined {
  return retryOf === undefined ? undefined : restKinds.find((which) => restId(retryOf, which) === id);
}

const suffixes: Record<FollowUpGroup, string> = {
  not_delivered: '(follow-up: not delivered)',
  rejected: '(follow-up: rejected)',
  unconfirmed: '(follow-up: unconfirmed)',
  not_sent: '(follow-up: not sent)',
  did_not_answer: '(follow-up: didn’t reply)',
  all: '(follow-up)',
};

/** A follow-up of a follow-up is named after the first campaign. */
export function followUpName(name: string, group: FollowUpGroup): string {
  const first = Object.values(suffixes).find((suffix) => name.endsWith(` ${suffix}`));
  const base = first === undefined ? name : name.slice(0, -first.length - 1);
  return `${base} ${suffixes[group]}`;
}

/** Rows of recipients of a campaign as a table. */
export function tableOf({ columns }: Campaign, rows: AsyncIterable<RecipientRow>): RecipientTable {
  return {
    columns: columns === undefined ? [] : nameColumns(columns),
    number: { index: 0 },
    isList: columns === undefined,
    rows,
  };
}

/** Returns a function that makes a row of a recipient of a campaign. */
export function recipientReader({ columns = [] }: Campaign) {
  const indexes = new Map(nameColumns(columns).map(({ name }, index) => [name, index]));
  return (line: number, to: string, cells: readonly string[]) => ({
    kind: 'recipient' as const,
    line,
    number: provenNumberSchema.parse(to),
    cells,
    value: (column: string) => cells[indexes.get(column) ?? -1] ?? '',
  });
}

/** Reads the recipients as rows of the file that they came from. */
export async function* rowsOfFormer(
  source: EarlierRecipients | RunRecipients | PartRecipients,
  campaigns: CampaignRepository,
): AsyncGenerator<RecipientRow> {
  const { campaign } = source;
  const { workspaceId, id } = campaign;
  const state = source.kind === 'earlier' ? chunkStates[source.which] : 'waiting';
  const recipient = recipientReader(campaign);
  let line = 0;
  for await (const { to, cells } of campaigns.chunks(workspaceId, id, [state])) {
    for (const [index, number] of to.entries()) {
      line += 1;
      if (source.kind !== 'part' || source.has(phoneNumberSchema.parse(number))) {
        yield recipient(line, number, cells?.[index] ?? []);
      }
    }
  }
  if (source.kind !== 'earlier' || source.which !== 'draft') {
    return;
  }
  for await (const row of campaigns.rejectedRows(workspaceId, id)) {
    // A row whose number can be used was rejected for its text, which may be another one now.
    const { text, cells, problem = 'not_a_number' } = row;
    const isUsable = cells !== undefined && phoneNumberSchema.safeParse(text).success;
    yield isUsable ? recipient(row.line, text, cells) : { kind: 'invalid', ...row, problem };
  }
}
