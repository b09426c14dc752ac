import { type CsvColumn, streamCsv } from '../../../domain/csv/write-csv.ts';
import { shownDay } from '../../../domain/time/shown-time.ts';
import { sortableTime } from '../../../domain/time/start-time.ts';
import { type HistoryEntry, historyReader } from '../../../services/history/history.ts';
import { describeFailure } from '../../../services/operations/outcomes.ts';
import { countNotDelivered, failureLine } from '../../block-kit/descriptions/campaign-counts.ts';
import { describeRecipient } from '../../block-kit/descriptions/deliveries.ts';
import { isFiltered } from '../../block-kit/inputs/filters.ts';
import { pluralize, routeTitle } from '../../block-kit/plural.ts';
import { stripMarkup } from '../../block-kit/text.ts';
import type { UserName } from '../../client/user-names.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { type ExportedFile, onExport } from '../../middleware/list-buttons.ts';
import type { User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { actorOf, describeEntry, kindOf } from '../../notifier/history-line.ts';
import type { OutcomeRenderers } from '../../notifier/outcome.ts';
import {
  exportAction,
  type HistoryList,
  historyTitle,
  type ShownFilter,
  toHistoryFilter,
} from './history-list.ts';
import { readSummary } from './summary.ts';

/** *Export as CSV*: everyone's history as it is filtered, for admins. */
export function registerHistoryExport(router: Router, context: AppContext, list: HistoryList): void {
  const { services, outcomeRenderers, userName } = context;
  onExport(router, context, exportAction, {
    title: historyTitle,
    exportOf({ user, view }) {
      const { filter } = list.stateOf(view?.metadata);
      const filtered = isFiltered(filter);
      const entries = services.history.all(historyReader(user), toHistoryFilter(filter, user.zone));
      return {
        entry: { action: 'history.export', details: { filtered } },
        files: historyFiles(entries, { outcomeRenderers, userName, user }),
        comment: `The history of this workspace${filtered ? ' by your filters' : ''}${daysOf(filter)}, newest first`,
      };
    },
    count: (rows) => `${pluralize(rows, 'row')}, phone numbers masked`,
  });
}

/** Names the days of a filter: the files of two months look alike. */
function daysOf({ from, to }: Pick<ShownFilter, 'from' | 'to'>): string {
  const named = (word: string, day: string | undefined) =>
    day === undefined ? '' : ` ${word} ${shownDay(new Date(day))}`;
  const days = `${named('from', from)}${named('to', to)}`;
  return days === '' ? '' : `,${days}`;
}

/** A file is kept in memory, so a long history takes more than one. */
const maxEntriesPerFile = 100_000;

interface FileOptions {
  outcomeRenderers: OutcomeRenderers;
  userName: UserName;
  /** Who reads it. */
  user: Pick<User, 'workspaceId' | 'zone'>;
  maxEntries?: number | undefined;
}

/** Yields the history as CSV files of up to `maxEntries` entries. Each is made when it is requested. */
export async function* historyFiles(
  entries: AsyncIterable<HistoryEntry>,
  { maxEntries = maxEntriesPerFile, ...options }: FileOptions,
): AsyncGenerator<ExportedFile> {
  const reading = entries[Symbol.asyncIterator]();
  let next = await reading.next();
  for (let part = 1; part === 1 || !next.done; part += 1) {
    let rows = 0;
    async function* rowsOfFile() {
      for (; !next.done && rows < maxEntries; next = await reading.next()) {
        rows += 1;
        yield await rowOf(next.value, options);
      }
    }
    const pieces: Buffer[] = [];
    for await (const piece of streamCsv(columnsFor(options.user.zone), rowsOfFile())) {
      pieces.push(Buffer.from(piece));
    }
    const isOnly = part === 1 && next.done;
    yield { name: isOnly ? 'history.csv' : `history-${part}.csv`, content: Buffer.concat(pieces), rows };
  }
}

type EntryOf<Kind extends HistoryEntry['kind']> = Extract<HistoryEntry, { kind: Kind }>;

type Row = Awaited<ReturnType<typeof rowOf>>;

async function rowOf(entry: HistoryEntry, { outcomeRenderers, userName, user }: FileOptions) {
  const userId = actorOf(entry);
  const { subject, outcome } = describeEntry(entry, outcomeRenderers);
  const codeOutcome = entry.kind === 'operation' ? entry.operation.codeOutcome : undefined;
  const verified = codeOutcome?.kind === 'verified' ? codeOutcome : undefined;
  return {
    at: entry.at,
    kind: kindOf(entry),
    userId,
    userName: await userName(user.workspaceId, userId),
    state: outcome.word,
    what: stripMarkup(subject),
    verifiedAt: verified && new Date(verified.at),
    verifiedBy: verified && (await userName(user.workspaceId, verified.by ?? userId)),
    ...(entry.kind === 'operation' ? operationCells(entry) : campaignCells(entry.campaign)),
  };
}

function operationCells(entry: EntryOf<'operation'>) {
  const { operation, deliveries } = entry;
  const { kind, state, providerId, pages, balance, error, expiresAt, wrongGuesses = 0 } = operation;
  const {
    route,
    senderId,
    recipients = kind === 'campaign.test' ? 1 : undefined,
  } = readSummary(operation.summary);
  const countIf = (outcome: string) => recipients && (state === outcome ? recipients : 0);
  const countReported = (as: string) => deliveries?.filter((delivery) => delivery.state === as).length;
  return {
    route: route && routeTitle(route),
    senderId,
    recipients,
    accepted: countIf('accepted'),
    rejected: countIf('rejected'),
    unconfirmed: countIf('unconfirmed'),
    delivered: countReported('delivered'),
    notDelivered: countReported('failed'),
    delivery: describeDelivery(entry),
    pages,
    balance,
    providerId,
    error,
    wrongGuesses: expiresAt === undefined ? undefined : wrongGuesses,
  };
}

function campaignCells({
  route,
  senderId,
  counts,
  deliveries,
  balance,
  pause,
}: EntryOf<'campaign'>['campaign']) {
  const { recipients, accepted, rejected, unconfirmed, pages } = counts;
  const outcomes = { recipients, accepted, rejected, unconfirmed, pages };
  const failures = deliveries && failureLine(deliveries);
  return {
    route: routeTitle(route),
    senderId,
    ...outcomes,
    delivered: deliveries?.delivered,
    notDelivered: deliveries && countNotDelivered(deliveries),
    delivery: failures && stripMarkup(failures),
    balance,
    providerId: undefined,
    error: pause?.error,
    wrongGuesses: undefined,
  };
}

/** What became of its messages: with several numbers, of each of them while they are kept. */
function describeDelivery(entry: EntryOf<'operation'>): string {
  const { deliveries = [], byRecipient } = entry;
  return deliveries.length > 0 && byRecipient !== undefined
    ? byRecipient
        .map(({ number, delivery }) => `to ${number}: ${stripMarkup(describeRecipient(delivery).words)}`)
        .join('; ')
    : deliveries.map((delivery) => stripMarkup(describeRecipient(delivery).words)).join('; ');
}

/** Numbers are written plainly, so that a spreadsheet can add them up. */
function columnsFor(zone: string): readonly CsvColumn<Row>[] {
  const count = (number: number | undefined) => String(number ?? '');
  return [
    { title: `Time (${zone})`, cell: ({ at }) => sortableTime(at, zone) },
    { title: 'Time (UTC)', cell: ({ at }) => at.toISOString() },
    { title: 'Kind', cell: ({ kind }) => kind },
    { title: 'Who', cell: ({ userName }) => userName ?? '' },
    { title: 'Slack user ID', cell: ({ userId }) => userId },
    { title: 'State', cell: ({ state }) => state },
    { title: 'What', cell: ({ what }) => what },
    { title: 'Route', cell: ({ route }) => route ?? '' },
    { title: 'Sender ID', cell: ({ senderId }) => senderId ?? '' },
    { title: 'Recipients', cell: ({ recipients }) => count(recipients) },
    { title: 'Sent', cell: ({ accepted }) => count(accepted) },
    { title: 'Rejected', cell: ({ rejected }) => count(rejected) },
    { title: 'Unconfirmed', cell: ({ unconfirmed }) => count(unconfirmed) },
    { title: 'Delivered', cell: ({ delivered }) => count(delivered) },
    { title: 'Not delivered', cell: ({ notDelivered }) => count(notDelivered) },
    { title: 'Pages', cell: ({ pages }) => count(pages) },
    { title: 'Balance after', cell: ({ balance }) => balance ?? '' },
    { title: 'Provider’s ID', cell: ({ providerId }) => providerId ?? '' },
    { title: 'Reason', cell: ({ error }) => (error === undefined ? '' : describeFailure(error).happened) },
    { title: 'Reason code', cell: ({ error }) => error?.reason ?? '' },
    { title: 'Delivery', cell: ({ delivery }) => delivery ?? '' },
    {
      title: `Verified at (${zone})`,
      cell: ({ verifiedAt }) => (verifiedAt === undefined ? '' : sortableTime(verifiedAt, zone)),
    },
    { title: 'Verified by', cell: ({ verifiedBy }) => verifiedBy ?? '' },
    { title: 'Wrong guesses', cell: ({ wrongGuesses }) => count(wrongGuesses) },
  ];
}
