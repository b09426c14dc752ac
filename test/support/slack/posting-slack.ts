import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { WebClient } from '@slack/web-api';
import { startSlack } from '../../../sandbox/slack/server.ts';
import { createLog } from '../../../src/lib/log.ts';
import { systemTimers } from '../../../src/lib/time/timers.ts';
import { createBoltLogger } from '../../../src/slack/app/bolt-app.ts';
import { createPosting } from '../../../src/slack/client/posting.ts';
import { webClientOptions } from '../../../src/slack/client/web-client.ts';
import type { Store } from '../../../src/store/store.ts';
import { temporaryStore } from '../store/temporary-store.ts';
import { stoppedClock } from '../time/test-clock.ts';

/**
 * A Slack workspace that the app can post in, and a store with its outbox, without the rest of the program.
 */
export async function startPosting(test: TestContext) {
  const { clock, pass } = stoppedClock();
  const store = await temporaryStore(test, { time: clock });
  return { ...(await startPostingFor(test, store)), pass };
}

/** The same, for an existing store. */
export async function startPostingFor(test: TestContext, store: Store) {
  const slack = await startSlack({
    manifestPath: fileURLToPath(new URL('../../../manifest.yml', import.meta.url)),
    delivery: { mode: 'socket' },
    botToken: 'xoxb-1',
  });
  test.after(() => slack.stop());
  let logged = '';
  const log = createLog('info', {
    write: (line: string) => {
      logged += line;
    },
  });
  const client = new WebClient(
    'xoxb-1',
    webClientOptions({
      apiUrl: new URL(slack.apiUrl),
      logger: createBoltLogger(createLog('silent')),
      timers: systemTimers,
    }),
  );
  const clients = { for: async () => client };
  const context = { store, clients, posting: createPosting({ clients, log }), log };
  return { slack, store, context, logged: () => logged };
}
