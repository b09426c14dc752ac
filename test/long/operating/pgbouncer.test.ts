import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Secret } from '../../../src/lib/secret.ts';
import { systemTimers } from '../../../src/lib/time/timers.ts';
import { openPostgres } from '../../../src/store/engine/postgres/database.ts';
import { startTestApp } from '../../support/app/test-app.ts';
import { compose, personal, reached, recipients, start } from '../../support/campaigns.ts';
import { send } from '../../support/slack/sms-steps.ts';
import { createPostgresDatabase } from '../../support/store/databases.ts';
import { pgbouncerVersion, startPgBouncer } from '../../support/store/pgbouncer.ts';

const skip = pgbouncerVersion === undefined && 'PgBouncer is not installed (Debian’s package pgbouncer)';

describe(`PgBouncer ${pgbouncerVersion ?? ''}`, { skip }, () => {
  it('works through PgBouncer in session mode, as it is installed', async (test) => {
    const created = await createPostgresDatabase({ empty: true });
    test.after(() => created.drop());
    const DATABASE_URL = await startPgBouncer(test, created.url.reveal());
    const env = { DATABASE_URL };
    const { ada, provider, connect, restart } = await startTestApp(test, { database: 'sqlite', env });
    await connect();
    await send(ada, { to: '+2348051234568' });
    const numbers = recipients(300);
    await compose(ada, { file: personal(numbers), text: 'Good morning {{name}}' });
    await start(ada);
    await ada.sees(/\*Done:\* 300 recipients/);
    await restart();
    await ada.types('/sms', 'history');
    await ada.seesModal('History', '300 recipients');
    assert.deepEqual(reached(provider.record), [...numbers, '+2348051234568'].sort());
  });

  for (const mode of ['transaction', 'statement']) {
    it(`is refused in ${mode} mode, with the reason`, async (test) => {
      const created = await createPostgresDatabase({ empty: true });
      test.after(() => created.drop());
      const url = await startPgBouncer(test, created.url.reveal(), [`pool_mode = ${mode}`]);
      await assert.rejects(openPostgres({ url: new Secret(url) }, { timers: systemTimers }), {
        fault: 'unreachable',
        message: /pooler that does not keep sessions|statement pooling/,
      });
    });
  }
});
