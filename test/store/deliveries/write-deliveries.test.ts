import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sql } from 'kysely';
import { temporaryStore } from '../../support/store/temporary-store.ts';

it('reports are taken in also where PostgreSQL undoes their write, as two waited for each other', async (test) => {
  const store = await temporaryStore(test, { database: 'postgres' });
  const record = (status: string) =>
    store.deliveries.record(
      'T1',
      ['m1', 'm2'].map((providerId) => ({ providerId, number: '+2348031234567', status, source: 'report' })),
    );
  await record('Sent');
  // Which of two that wait for each other is undone is a matter of time: here, it is the first write that gets as far as m2.
  await sql`create sequence reached_m2`.execute(store.db);
  await sql`create function deadlock_once() returns trigger language plpgsql as $$
    begin
      if new.provider_id = 'm2' and nextval('reached_m2') = 1 then
        raise exception 'deadlock detected' using errcode = 'deadlock_detected';
      end if;
      return new;
    end $$`.execute(store.db);
  await sql`create trigger deadlock_once before update on delivery
    for each row execute function deadlock_once()`.execute(store.db);
  await record('Delivered');
  const { rows } = await sql<{ reached: number }>`select last_value as reached from reached_m2`.execute(
    store.db,
  );
  assert.deepEqual(rows, [{ reached: 2 }]);
  assert.deepEqual(
    (await store.deliveries.of('T1', ['m1', 'm2'])).map(({ state }) => state),
    ['delivered', 'delivered'],
  );
});
