import type { ProviderOperationName } from '../../../sandbox/provider/operation-names.ts';
import type { ProviderSandbox } from '../../../sandbox/provider/server.ts';
import { readSettings } from '../../../src/config/settings.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import type { Place } from './places.ts';

/** Operations that must be recorded before they are sent. */
const guarded: ReadonlySet<ProviderOperationName> = new Set<ProviderOperationName>([
  'messages.send',
  'messages.sendChatOtp',
  'messages.sendBulk',
  'tokens.send',
  'tokens.generate',
  'tokens.call',
  'tokens.email',
  'senderIds.request',
  'phonebooks.addContact',
  'phonebooks.upload',
  'phonebooks.deleteContact',
  'esims.create',
  'esims.purchase',
]);

export interface ProviderRecord {
  /** Requests to the provider that have an effect. */
  sent: number;
  /** The intents that were recorded, of all workspaces. */
  recorded: number;
  /** Intents of people who may not use the app where they are recorded, and workspaces that lost their key. */
  unasked: string[];
}

/** Compares what reached the provider with what the stopped program recorded. */
export async function readRecord(
  provider: ProviderSandbox,
  env: Record<string, string>,
  places: readonly Place[],
): Promise<ProviderRecord> {
  const sent = provider.arrivals.filter(
    ({ operation }) => operation !== undefined && guarded.has(operation),
  ).length;
  const store = await openStore(await readSettings(env));
  try {
    const read = await Promise.all(places.map((place) => readPlace(store, place)));
    return {
      sent,
      recorded: read.reduce((sum, { recorded }) => sum + recorded, 0),
      unasked: read.flatMap(({ unasked }) => unasked),
    };
  } finally {
    await store.close();
  }
}

async function readPlace(store: Store, { team, members }: Place) {
  const everything = { workspaceId: team, limit: 1_000_000 };
  const operations = await store.ledger.recent(everything);
  const campaigns = await store.campaigns.recent(everything);
  let chunks = 0;
  for (const { id } of campaigns) {
    const claimed = store.campaigns.chunks(team, id, ['claimed', 'accepted', 'rejected', 'unconfirmed']);
    for await (const _ of claimed) {
      chunks += 1;
    }
  }
  const strangers = [
    ...operations.map(({ userId }) => userId),
    ...campaigns.map(({ createdBy }) => createdBy),
  ]
    .filter((userId) => !members.includes(userId))
    .map((userId) => `${userId} in ${team}`);
  const isConnected = (await store.keyv(team, 'settings').get('connection')) !== undefined;
  return {
    recorded: operations.length + chunks,
    unasked: [...new Set(strangers), ...(isConnected ? [] : [`the key of ${team} is gone`])],
  };
}
