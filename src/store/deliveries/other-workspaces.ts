import { type Kysely, sql } from 'kysely';
import { earliestRequestOf, latestRequestOf } from '../../domain/deliveries/reported-time.ts';
import { readChunkContent } from '../campaigns/recipient-queries.ts';
import { readOperationTexts } from '../operations/operation-text.ts';
import type { Schema } from '../schema/schema.ts';
import type { Candidate, Search } from './candidates.ts';
import type { IdentifiableMessage } from './delivery-rows.ts';
import { type ComparableContent, hashContent } from './hash-content.ts';

/** Whether a message is, or may be, that of another workspace. */
export type Elsewhere = 'is_not' | 'may_be' | 'waits';

/** A message as it would be one of another workspace, and the search for its request there. */
export interface MessageElsewhere {
  message: IdentifiableMessage;
  search: Search;
}

/**
 * Asks for each other workspace that has sent to the number of a message about its time whether the message may be its own:
 * several may use one account of the provider, which reports all its messages to one address. Nothing of them is returned.
 *
 * @param candidate whose message it is otherwise
 */
export async function askOtherWorkspaces(
  search: Search,
  message: IdentifiableMessage,
  candidate: Candidate & { content: ComparableContent },
  ask: (elsewhere: MessageElsewhere) => Promise<Elsewhere>,
): Promise<Elsewhere> {
  const active = await findActive(search.db, message);
  if (active.length === 0) {
    return 'is_not';
  }
  const number = await numberOf(search, message, candidate);
  if (number === undefined) {
    return 'may_be';
  }
  const { content } = candidate;
  const elsewhere: MessageElsewhere[] = [];
  let result: Elsewhere = 'is_not';
  /** What cannot be read there keeps this one message waiting, and nothing else of this workspace. */
  const waits = (workspace: string) => (err: unknown) => {
    search.log.error({ err, workspace }, 'a message waits for another workspace');
    result = 'waits';
  };
  for (const workspaceId of active) {
    const hash = await search.phoneHashes.hasher(workspaceId).catch(waits(workspaceId));
    if (hash !== undefined) {
      elsewhere.push({
        message: { ...message, workspaceId, hash: hash(number), contentHash: hashContent(hash, content) },
        search: { ...search, hash },
      });
    }
  }
  const known = await findKnownNumbers(search.db, {
    workspaces: active,
    hashes: elsewhere.map((each) => each.message.hash),
  });
  for (const each of elsewhere.filter((one) => known.has(one.message.hash))) {
    const answer = await ask(each).catch(waits(each.message.workspaceId));
    if (answer === 'may_be') {
      return answer;
    }
    result = answer === 'waits' ? answer : result;
  }
  return result;
}

/** Returns the other workspaces that have sent anything about the time of a message. */
async function findActive(
  db: Kysely<Schema>,
  { workspaceId, sentAt }: IdentifiableMessage,
): Promise<string[]> {
  const from = earliestRequestOf(sentAt);
  const until = latestRequestOf(sentAt);
  const { rows } = await sql<{ workspaceId: string }>`select workspace_id from number_key as other
    where workspace_id <> ${workspaceId} and (
      exists (
        select 1 from operation
        where operation.workspace_id = other.workspace_id
          and operation.created_at >= ${from} and operation.created_at <= ${until}
      ) or exists (
        select 1 from campaign
        where campaign.workspace_id = other.workspace_id and campaign.started_at <= ${until}
          and (campaign.state_changed_at >= ${from} or campaign.state = 'running' or campaign.in_flight > 0)
      )
    )`.execute(db);
  return rows.map((row) => row.workspaceId);
}

/** Returns those of the hashes of numbers that any of these workspaces has sent to. */
async function findKnownNumbers(
  db: Kysely<Schema>,
  { workspaces, hashes }: { workspaces: readonly string[]; hashes: readonly string[] },
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('operationNumber')
    .select('hash')
    .where('hash', 'in', hashes)
    .union(
      // From the campaigns: of numbers alone there is no index.
      db
        .selectFrom('campaign')
        .innerJoin('campaignNumber', 'campaignNumber.campaign', 'campaign.sequence')
        .select('campaignNumber.hash')
        .where('campaign.workspaceId', 'in', workspaces)
        .where('campaign.id', 'is not', null)
        .where('campaignNumber.hash', 'in', hashes),
    )
    .execute();
  return new Set(rows.map(({ hash }) => hash));
}

/** Returns the number of a message, which its candidate has; undefined where that is not kept. */
async function numberOf(
  { db, encryption, hash }: Search,
  message: IdentifiableMessage,
  candidate: Candidate,
): Promise<string | undefined> {
  const { workspaceId } = message;
  const numbers =
    candidate.kind === 'operation'
      ? (await readOperationTexts(db, encryption, { workspaceId, ids: [candidate.operation.id] })).get(
          candidate.operation.id,
        )?.to
      : (
          await readChunkContent(
            db,
            encryption,
            { workspaceId, campaign: candidate.campaign },
            candidate.chunk,
          )
        )?.to;
  return numbers?.find((number) => hash(number) === message.hash);
}
