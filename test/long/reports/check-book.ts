import { z } from 'zod';
import type { AcceptedMessage } from '../../../sandbox/provider/state/state.ts';
import {
  type ReportedState,
  readReportedStatus,
  reportedProgress,
} from '../../../src/domain/deliveries/delivery-status.ts';
import type { MessageDelivery } from '../../../src/store/deliveries/deliveries.ts';
import type { OperationRow } from '../../../src/store/operations/operation.ts';
import { campaignId, type Play, type SentMessage, type TakenPost } from './play-reports.ts';

/** What the program says of all messages, compared with the provider’s own book. */
export interface Comparison {
  /** Messages by how they are said to have ended. */
  states: Record<string, number>;
  /** Answers that were lost, and how many of those messages are known now. */
  lost: number;
  resolved: number;
  /** In hundredths of the account's currency: what the program says was charged, and what was. */
  cost: { said: number; charged: number };
  campaign: Record<string, number>;
  /** Where the two differ. */
  faults: string[];
}

const reportSchema = z.object({ message_id: z.string(), receiver: z.string(), status: z.string() });

interface TakenReport {
  messageId: string;
  state: ReportedState;
}

export async function compareWithBook(play: Play): Promise<Comparison> {
  const { harness, sent, taken } = play;
  const faults: string[] = [];
  const book = new Map(harness.provider.record.map((message) => [message.id, message]));
  const operations = await harness.store.db.selectFrom('operation').selectAll().execute();
  const byId = new Map(operations.map((row) => [row.id, row]));
  const reported = furthestOf(taken);
  const deliveries = await readDeliveries(play, operations);
  const claimed = new Set<string>();
  const states: Record<string, number> = {};
  const cost = { said: 0, charged: 0 };
  let [lost, resolved] = [0, 0];

  for (const message of sent) {
    const row = byId.get(message.id);
    if (row === undefined) {
      faults.push(`${message.id} has no operation`);
      continue;
    }
    states[row.state] = (states[row.state] ?? 0) + 1;
    const wasLost = message.toldAtFirst === 'unconfirmed';
    lost += Number(wasLost);
    resolved += Number(wasLost && row.state !== 'unconfirmed');
    if (!wasLost && row.state !== message.toldAtFirst) {
      faults.push(`${message.id} was ${message.toldAtFirst}, and is ${row.state}`);
    }
    const { providerId } = row;
    if (providerId === undefined) {
      continue;
    }
    const noted = book.get(providerId);
    faults.push(...differences(message, noted));
    if (wasLost && !isOwn(row, noted)) {
      faults.push(`${message.id} has a message that was taken at another time`);
    }
    if (claimed.has(providerId)) {
      faults.push(`${message.id} has the message of another`);
    }
    claimed.add(providerId);
    const state = reported.get(`${message.workspace.id} ${providerId}`);
    const delivery = deliveries.get(`${message.workspace.id} ${providerId}`);
    if (delivery?.state !== state) {
      faults.push(`${message.id} is ${delivery?.state}, and was reported as ${state}`);
    }
    if (noted !== undefined && state !== undefined) {
      cost.charged += noted.costInKobo;
      cost.said += Math.round(Number(delivery?.cost ?? 0) * 100);
    }
  }
  faults.push(...unresolved(play, { byId, book, claimed, reported }));
  const campaign = await compareCampaign(play, book, faults);
  if (cost.said !== cost.charged) {
    faults.push(`${cost.said} is said to be charged, and ${cost.charged} was`);
  }
  return { states, lost, resolved, cost, campaign, faults };
}

function differences(message: SentMessage, noted: AcceptedMessage | undefined): string[] {
  if (noted === undefined) {
    return [`${message.id} has a message that the provider does not know`];
  }
  const isSame =
    noted.account === message.workspace.key &&
    noted.from === message.workspace.senderId &&
    noted.text === message.text &&
    noted.to.length === 1 &&
    `+${noted.to[0]}` === String(message.number);
  return isSame ? [] : [`${message.id} has the message of another`];
}

/** What stays unconfirmed has to have a reason: nothing came of its message, or it cannot be told from another. */
function unresolved(
  { sent }: Play,
  {
    byId,
    book,
    claimed,
    reported,
  }: {
    byId: ReadonlyMap<string, OperationRow>;
    book: ReadonlyMap<string, AcceptedMessage>;
    claimed: ReadonlySet<string>;
    reported: ReadonlyMap<string, ReportedState>;
  },
): string[] {
  const alike = Map.groupBy(sent, ({ workspace: { senderId }, number, text }) =>
    JSON.stringify([senderId, number, text]),
  );
  const unclaimed = [...book.values()].filter(({ id }) => !claimed.has(id));
  /** Whether a message was reported to a workspace that may be of this one, and is of none. */
  const hasUnclaimed = ({ workspace, number, text }: SentMessage) =>
    unclaimed.some(
      (noted) =>
        noted.account === workspace.key &&
        noted.text === text &&
        `+${noted.to[0]}` === String(number) &&
        reported.has(`${workspace.id} ${noted.id}`),
    );
  return [...alike.values()].flatMap((messages) => {
    const [open] = messages.filter(({ id }) => byId.get(id)?.state === 'unconfirmed');
    return messages.length === 1 && open !== undefined && hasUnclaimed(open)
      ? [`${open.id} was reported, and stays unconfirmed`]
      : [];
  });
}

/** Whether the provider took a message while the request of an operation was under way: alike ones differ in that alone. */
function isOwn({ createdAt, endedAt }: OperationRow, noted: AcceptedMessage | undefined): boolean {
  const at = Date.parse(noted?.at ?? '');
  return at >= createdAt.getTime() && at <= (endedAt?.getTime() ?? Number.POSITIVE_INFINITY);
}

/** The furthest state that was reported of each message to a workspace. */
function furthestOf(taken: readonly TakenPost[]): Map<string, ReportedState> {
  const furthest = new Map<string, ReportedState>();
  for (const { workspaceId, post } of taken) {
    const { messageId, state } = readTaken(post.text);
    const name = `${workspaceId} ${messageId}`;
    const known = furthest.get(name);
    if (known === undefined || reportedProgress[state] > reportedProgress[known]) {
      furthest.set(name, state);
    }
  }
  return furthest;
}

function readTaken(text: string): TakenReport {
  const { message_id, status } = reportSchema.parse(JSON.parse(text));
  return { messageId: message_id, state: readReportedStatus(status).state };
}

async function readDeliveries(
  { harness }: Play,
  operations: readonly OperationRow[],
): Promise<Map<string, MessageDelivery>> {
  const found = new Map<string, MessageDelivery>();
  for (const { id } of harness.workspaces) {
    const ids = operations.flatMap((row) => (row.workspaceId === id ? (row.providerId ?? []) : []));
    for (let start = 0; start < ids.length; start += 1_000) {
      for (const delivery of await harness.store.deliveries.of(id, ids.slice(start, start + 1_000))) {
        found.set(`${id} ${delivery.providerId}`, delivery);
      }
    }
  }
  return found;
}

/** Each recipient is in one chunk, whose message the provider has noted for the same numbers. */
async function compareCampaign(
  { harness, recipients }: Play,
  book: ReadonlyMap<string, AcceptedMessage>,
  faults: string[],
): Promise<Record<string, number>> {
  const [workspace] = harness.workspaces;
  const counts: Record<string, number> = {};
  const seen = new Set<string>();
  const states = ['waiting', 'claimed', 'accepted', 'rejected', 'unconfirmed'] as const;
  for await (const chunk of harness.store.campaigns.chunks(workspace?.id ?? '', campaignId, states)) {
    const noted = chunk.providerId === undefined ? undefined : book.get(chunk.providerId);
    const isOfChunk = new Set((noted?.to ?? []).map((digits) => `+${digits}`));
    for (const number of chunk.to) {
      counts[chunk.state] = (counts[chunk.state] ?? 0) + 1;
      if (seen.has(number)) {
        faults.push('a recipient of the campaign is in two states');
      }
      seen.add(number);
      if (chunk.state === 'accepted' && (noted?.account !== workspace?.key || !isOfChunk.has(number))) {
        faults.push('a recipient of the campaign has the message of another');
      }
    }
  }
  if (seen.size !== recipients.length) {
    faults.push(`${seen.size} of ${recipients.length} recipients of the campaign have a state`);
  }
  return counts;
}
