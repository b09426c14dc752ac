import { sql } from 'kysely';
import type { Settings } from '../../src/config/settings.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { workspaceAt } from './day.ts';
import { run } from './services.ts';

/** Workspaces at once, and of one transaction. */
const together = 16;
const batchSize = 500;

/**
 * Leaves in the store what many workspaces leave that have installed the app and connected it to the provider: their
 * installation, their key, and both in the audit.
 */
export async function installAll(settings: Settings, workspaces: number): Promise<void> {
  const store = await openStore(settings);
  // What is lost when the machine fails is made again.
  await (settings.postgres === undefined
    ? sql`pragma synchronous = off`.execute(store.db)
    : sql`alter role current_user set synchronous_commit = off`.execute(store.db));
  const append = await store.audit.prepare();
  for (let begin = 0; begin < workspaces; begin += batchSize) {
    const size = Math.min(batchSize, workspaces - begin);
    const indexes = Array.from({ length: size }, (_, index) => begin + index);
    await run(indexes, (index) => install(store, index), together);
    await store.db
      .transaction()
      .execute((transaction) => append(transaction, indexes.map(workspaceAt).flatMap(entriesOf)));
  }
  await (settings.postgres === undefined
    ? sql`pragma synchronous = full`.execute(store.db)
    : sql`alter role current_user reset synchronous_commit`.execute(store.db));
  await store.close();
}

async function install(store: Store, index: number): Promise<void> {
  const workspaceId = workspaceAt(index);
  const key = `key-of-${index}-0123456789`;
  await store.keyv(workspaceId, 'settings').set('connection', { key, by: 'U0ADMIN', at: Date.now() });
  await store.slackInstallations.save({
    ownerId: workspaceId,
    isEnterpriseWide: false,
    name: `Workspace ${index}`,
    appId: 'A0BENCH',
    token: `xoxb-bench-${index}-0123456789abcdef`,
    scopes: ['chat:write', 'commands', 'users:read', 'files:read', 'files:write'],
    botId: 'B0BOT',
    botUserId: 'U0BOT',
    installedBy: 'U0ADMIN',
    installedAt: Date.now(),
  });
}

function entriesOf(workspaceId: string) {
  const shared = { workspaceId, userId: 'U0ADMIN', subject: workspaceId, outcome: 'done' as const };
  return [
    { ...shared, action: 'installation.install' as const },
    { ...shared, action: 'connection.connect' as const },
  ];
}
