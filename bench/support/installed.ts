import { sql } from 'kysely';
import type { Settings } from '../../src/config/settings.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { workspaceAt } from './day.ts';
import { run } from './services.ts';

/** At once. */
const together = 16;

/**
 * Leaves in the store what the program reads of workspaces that have installed the app and connected it to the provider: their
 * installations and their keys. Not the audit of that: its register takes longer for each further workspace.
 */
export async function installAll(settings: Settings, workspaces: number): Promise<void> {
  const store = await openStore(settings);
  // What is lost when the machine fails is made again.
  await (settings.postgres === undefined
    ? sql`pragma synchronous = off`.execute(store.db)
    : sql`alter role current_user set synchronous_commit = off`.execute(store.db));
  const indexes = Array.from({ length: workspaces }, (_, index) => index);
  await run(indexes, (index) => install(store, index), together);
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
