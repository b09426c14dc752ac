import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import type { Selectable } from 'kysely';
import type { AuditProblem } from '../../../src/store/audit/verify-audit.ts';
import type { Schema } from '../../../src/store/schema/schema.ts';
import type { Store } from '../../../src/store/store.ts';
import { rounds } from '../../support/sizes.ts';
import { forEachDatabase, testedDatabase } from '../../support/store/databases.ts';
import { rotateKeys } from '../../support/store/rotate-keys.ts';
import { newEncryptionKey, temporaryStore } from '../../support/store/temporary-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const length = 9;

async function problemsOf({ audit }: Store): Promise<AuditProblem[]> {
  const problems: AuditProblem[] = [];
  const check = await audit.verify({ onProblem: async (problem) => void problems.push(problem) });
  assert.equal(check.problems, problems.length);
  return problems;
}

const concerns = ({ from = Number.NaN, to = Number.NaN, was }: AuditProblem, sequence: number): boolean =>
  (from <= sequence && sequence <= to) || was === sequence;

/** The kinds of the problems that name an entry of T1. */
const kindsFor = (problems: readonly AuditProblem[], sequence: number): string[] =>
  problems
    .filter((problem) => problem.workspaceId === 'T1' && concerns(problem, sequence))
    .map(({ kind }) => kind);

forEachDatabase(() => {
  describe('a changed audit', () => {
    const cleanUps: (() => void | Promise<void>)[] = [];
    let store: Store;
    let untouched: {
      auditEntry: Selectable<Schema['auditEntry']>[];
      auditChain: Selectable<Schema['auditChain']>[];
      auditRegister: Selectable<Schema['auditRegister']>[];
    };

    before(async () => {
      store = await temporaryStore({ after: (end) => void cleanUps.push(end) });
      for (let count = 0; count < length; count += 1) {
        await store.audit.append({
          workspaceId: 'T1',
          userId: 'U1',
          action: 'lookup.number',
          subject: `+23480${count}•••4567`,
          outcome: 'done',
          details: { numbers: count },
        });
        await store.audit.append({ workspaceId: 'T2', action: 'campaign.miss', outcome: 'failed' });
      }
      const { db } = store;
      untouched = {
        auditEntry: await db.selectFrom('auditEntry').selectAll().execute(),
        auditChain: await db.selectFrom('auditChain').selectAll().orderBy('workspaceId').execute(),
        auditRegister: await db.selectFrom('auditRegister').selectAll().execute(),
      };
    });

    after(async () => {
      for (const end of cleanUps.reverse()) {
        await end();
      }
    });

    const ofT1 = () => store.db.selectFrom('auditEntry').where('workspaceId', '=', 'T1');

    async function putBack(): Promise<void> {
      const { db } = store;
      for (const table of ['auditEntry', 'auditChain', 'auditRegister'] as const) {
        await db.deleteFrom(table).execute();
      }
      await db.insertInto('auditEntry').values(untouched.auditEntry).execute();
      await db.insertInto('auditChain').values(untouched.auditChain).execute();
      await db.insertInto('auditRegister').values(untouched.auditRegister).execute();
    }

    beforeEach(putBack);

    /** Runs a property on the untouched audit, each time. */
    async function check<Value>(arbitrary: fc.Arbitrary<Value>, property: (value: Value) => Promise<void>) {
      await fc.assert(
        fc.asyncProperty(arbitrary, async (value) => {
          await putBack();
          await property(value);
        }),
        { numRuns: rounds(50) },
      );
    }

    const place = fc.integer({ min: 1, max: length });

    it('is checked of one workspace alone, with nothing of the others', async () => {
      await store.db
        .deleteFrom('auditEntry')
        .where('workspaceId', '=', 'T2')
        .where('sequence', '=', 3)
        .execute();
      const checkOf = async (workspaceId: string) => {
        const problems: AuditProblem[] = [];
        const onProblem = async (problem: AuditProblem) => void problems.push(problem);
        return { ...(await store.audit.verify({ workspaceId, onProblem })), problems };
      };
      assert.deepEqual(await checkOf('T1'), { workspaces: 1, entries: length, problems: [] });
      const missing = { workspaceId: 'T2', kind: 'missing', from: 3, to: 3 };
      assert.deepEqual(await checkOf('T2'), { workspaces: 1, entries: length - 1, problems: [missing] });
    });

    it('is found for any change of any column of any entry, which is named', async () => {
      const columns = Object.keys(untouched.auditEntry[0] ?? {});
      const value = fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.uint8Array({ maxLength: 9 }));
      await check(
        fc.tuple(fc.constantFrom(...columns), place, value),
        async ([column, sequence, changed]) => {
          const row = await ofT1().selectAll().where('sequence', '=', sequence).executeTakeFirstOrThrow();
          const now = changed instanceof Uint8Array ? Buffer.from(changed) : changed;
          await store.db
            .updateTable('auditEntry')
            .set({ [column]: now })
            .where('workspaceId', '=', 'T1')
            .where('sequence', '=', sequence)
            .execute()
            // What the table itself refuses is not changed.
            .catch(() => {});
          const rows = await store.db.selectFrom('auditEntry').selectAll().execute();
          const isSame = rows.some((other) => JSON.stringify(other) === JSON.stringify(row));
          const problems = await problemsOf(store);
          assert.equal(problems.length === 0, isSame, JSON.stringify(problems));
          assert.equal(kindsFor(problems, sequence).length > 0, !isSame, JSON.stringify(problems));
        },
      );
    });

    it('is found for entries that were deleted, each of which is named', async () => {
      await check(fc.uniqueArray(place, { minLength: 1 }), async (sequences) => {
        await store.db
          .deleteFrom('auditEntry')
          .where('workspaceId', '=', 'T1')
          .where('sequence', 'in', sequences)
          .execute();
        const problems = await problemsOf(store);
        for (let sequence = 1; sequence <= length; sequence += 1) {
          const kinds = kindsFor(problems, sequence);
          assert.equal(kinds.length, sequences.includes(sequence) ? 1 : 0, JSON.stringify(problems));
        }
        const isCutOff = sequences.includes(length);
        assert.equal(
          problems.some(({ kind }) => kind === 'cut_off'),
          isCutOff,
        );
      });
    });

    async function setSequence(from: number, to: number): Promise<void> {
      await store.db
        .updateTable('auditEntry')
        .set({ sequence: to })
        .where('workspaceId', '=', 'T1')
        .where('sequence', '=', from)
        .execute();
    }

    it('is found for entries that changed places, and where they were is named', async () => {
      await check(fc.uniqueArray(place, { minLength: 2, maxLength: 2 }), async ([one = 0, other = 0]) => {
        await setSequence(one, -1);
        await setSequence(other, one);
        await setSequence(-1, other);
        const problems = await problemsOf(store);
        const moves = problems.map(({ kind, from, was }) => [kind, from, was]);
        assert.deepEqual(
          moves.sort(),
          [
            ['moved', one, other],
            ['moved', other, one],
          ].sort(),
        );
      });
    });

    it('is found for an entry that was inserted, which is named', async () => {
      await check(fc.integer({ min: 0, max: length + 1 }), async (sequence) => {
        for (let moved = length; moved >= sequence && moved > 0; moved -= 1) {
          await setSequence(moved, moved + 1);
        }
        const [copied] = untouched.auditEntry;
        assert.ok(copied);
        await store.db
          .insertInto('auditEntry')
          .values({ ...copied, sequence, action: 'campaign.start' })
          .execute();
        const inserted = (await problemsOf(store)).filter(({ kind }) => kind === 'inserted');
        assert.deepEqual(
          inserted.map(({ from }) => from),
          [sequence],
        );
      });
    });

    it('is found for an entry that was deleted with its gap, and is named', async () => {
      await check(fc.integer({ min: 1, max: length - 1 }), async (sequence) => {
        await store.db
          .deleteFrom('auditEntry')
          .where('workspaceId', '=', 'T1')
          .where('sequence', '=', sequence)
          .execute();
        for (let moved = sequence + 1; moved <= length; moved += 1) {
          await setSequence(moved, moved - 1);
        }
        assert.ok(kindsFor(await problemsOf(store), sequence).includes('missing'));
      });
    });

    it('is found for any change of where entries begin and end', async () => {
      const columns = ['first', 'before', 'last', 'end', 'mac'] as const;
      const value = fc.oneof(fc.integer({ max: 99 }), fc.string());
      const isStorable = ([column, changed]: readonly [(typeof columns)[number], string | number]) =>
        testedDatabase === 'sqlite' ||
        typeof changed === (column === 'first' || column === 'last' ? 'number' : 'string');
      const change = fc.tuple(fc.constantFrom(...columns), value).filter(isStorable);
      await check(change, async ([column, changed]) => {
        await store.db
          .updateTable('auditChain')
          .set({ [column]: changed })
          .where('workspaceId', '=', 'T1')
          .execute();
        const now = await store.db.selectFrom('auditChain').selectAll().orderBy('workspaceId').execute();
        const isSame = JSON.stringify(now) === JSON.stringify(untouched.auditChain);
        const problems = await problemsOf(store);
        assert.equal(
          problems.some(({ workspaceId, kind }) => workspaceId === 'T1' && kind === 'ends_changed'),
          !isSame,
        );
      });
    });

    const others: Record<string, [tamper: () => Promise<unknown>, expected: string[]]> = {
      'the ends of a workspace': [
        () => store.db.deleteFrom('auditChain').where('workspaceId', '=', 'T1').execute(),
        ['T1 ends_missing'],
      ],
      'all of a workspace': [
        async () => {
          await store.db.deleteFrom('auditChain').where('workspaceId', '=', 'T1').execute();
          await store.db.deleteFrom('auditEntry').where('workspaceId', '=', 'T1').execute();
        },
        ['T1 ends_missing'],
      ],
      'all of a workspace, and its name in the register': [
        async () => {
          await store.db.deleteFrom('auditChain').where('workspaceId', '=', 'T1').execute();
          await store.db.deleteFrom('auditEntry').where('workspaceId', '=', 'T1').execute();
          await store.db.updateTable('auditRegister').set({ chains: '["T2"]' }).execute();
        },
        ['* register_changed'],
      ],
      'the register': [() => store.db.deleteFrom('auditRegister').execute(), ['* key_missing']],
      'the key': [
        () => store.db.updateTable('auditRegister').set({ encryptedKey: 'v1.0' }).execute(),
        ['* key_unreadable'],
      ],
      'the workspace of an entry': [
        () =>
          store.db
            .updateTable('auditEntry')
            .set({ workspaceId: 'T3' })
            .where('workspaceId', '=', 'T1')
            .where('sequence', '=', 2)
            .execute(),
        ['T1 missing 2', 'T3 ends_missing', 'T3 inserted 2'],
      ],
      'the workspace of an entry, and made ends for it': [
        async () => {
          await store.db
            .updateTable('auditEntry')
            .set({ workspaceId: 'T3' })
            .where('workspaceId', '=', 'T1')
            .where('sequence', '=', 1)
            .execute();
          await store.db
            .insertInto('auditChain')
            .values(untouched.auditChain.slice(0, 1).map((chain) => ({ ...chain, workspaceId: 'T3' })))
            .execute();
        },
        ['T1 missing 1', 'T3 chain_unknown', 'T3 ends_changed', 'T3 changed 1'],
      ],
    };
    for (const [what, [tamper, expected]] of Object.entries(others)) {
      it(`is found where somebody took ${what}`, async () => {
        await tamper();
        const problems = await problemsOf(store);
        assert.deepEqual(
          problems.map(({ workspaceId, kind, from }) =>
            [workspaceId, kind, from].filter((part) => part !== undefined).join(' '),
          ),
          expected,
        );
      });
    }

    it('is found after the program went on from where it was cut off', async () => {
      await store.db
        .deleteFrom('auditEntry')
        .where('sequence', '>', 4)
        .where('workspaceId', '=', 'T1')
        .execute();
      await store.db.updateTable('auditChain').set({ last: 4 }).where('workspaceId', '=', 'T1').execute();
      await store.audit.append({ workspaceId: 'T1', action: 'lookup.number', outcome: 'done' });
      assert.deepEqual(kindsFor(await problemsOf(store), 5), ['found_before']);
    });
  });

  describe('an audit that nobody changes', () => {
    it('is found whole at any length, after expiry, a restart and a rotation of keys, which it names', async (t) => {
      const dataDir = temporaryFolder(t);
      const [old, fresh] = [newEncryptionKey(), newEncryptionKey()];
      const store = await temporaryStore(t, { dataDir, encryptionKeys: [old] });
      assert.deepEqual(await problemsOf(store), []);
      const append = await store.audit.prepare();
      const entry = { workspaceId: 'T1', action: 'lookup.number', outcome: 'done' } as const;
      for (const count of [1, 999, 1]) {
        await store.db.transaction().execute((transaction) => append(transaction, Array(count).fill(entry)));
        assert.deepEqual(await problemsOf(store), []);
      }
      await store.db
        .transaction()
        .execute((transaction) => append(transaction, [{ ...entry, workspaceId: 'T2' }]));
      await store.close();
      await rotateKeys({ dataDir, encryptionKeys: [fresh, old] });
      const after = await temporaryStore(t, { dataDir, encryptionKeys: [fresh] });
      assert.deepEqual(await problemsOf(after), []);
      const check = await after.audit.verify({ onProblem: async () => {} });
      assert.deepEqual(check, { workspaces: 3, entries: 1_003, problems: 0 });
    });

    it('is found whole while others append and what has expired is deleted', async (t) => {
      let now = 0;
      const time = { now: () => new Date(now), elapsed: () => now };
      const store = await temporaryStore(t, { time });
      const entry = { workspaceId: 'T1', action: 'lookup.number', outcome: 'done' } as const;
      const append = await store.audit.prepare();
      for (now = 0; now < 12; now += 1) {
        await store.db.transaction().execute((transaction) => append(transaction, Array(100).fill(entry)));
      }
      const [problems] = await Promise.all([
        problemsOf(store),
        store.audit.append(entry),
        store.audit.expire(new Date(7)),
        store.audit.append(entry),
      ]);
      assert.deepEqual(problems, []);
      assert.deepEqual(await problemsOf(store), []);
    });
  });

  describe('the expiry of the audit', () => {
    async function filled(t: Parameters<typeof temporaryStore>[0]) {
      let now = 0;
      const time = { now: () => new Date(now), elapsed: () => now };
      const store = await temporaryStore(t, { time });
      for (now = 0; now < 6; now += 1) {
        await store.audit.append({ workspaceId: 'T1', action: 'lookup.number', outcome: 'done' });
      }
      const sequences = async () => {
        const rows = await store.db.selectFrom('auditEntry').select('sequence').orderBy('sequence').execute();
        return rows.map(({ sequence }) => sequence);
      };
      return { store, sequences };
    }

    it('deletes from the front, what was written before a time', async (t) => {
      const { store, sequences } = await filled(t);
      assert.deepEqual(await store.audit.expire(new Date(4)), []);
      assert.deepEqual(await sequences(), [5, 6]);
      await store.audit.append({ workspaceId: 'T1', action: 'lookup.number', outcome: 'done' });
      assert.deepEqual(await sequences(), [5, 6, 7]);
      assert.deepEqual(await problemsOf(store), []);
      await store.db.deleteFrom('auditEntry').where('sequence', '=', 5).execute();
      assert.deepEqual(kindsFor(await problemsOf(store), 5), ['missing']);
    });

    it('ends the chain of which nothing is left, and a later one begins anew', async (t) => {
      const { store } = await filled(t);
      await store.forget('T1');
      assert.deepEqual(await store.audit.expire(new Date(9)), []);
      for (const table of ['auditEntry', 'auditChain'] as const) {
        assert.deepEqual(await store.db.selectFrom(table).selectAll().execute(), []);
      }
      assert.deepEqual(await problemsOf(store), []);
      await store.audit.append({ workspaceId: 'T1', action: 'lookup.number', outcome: 'done' });
      assert.deepEqual(await problemsOf(store), []);
    });

    it('keeps what was changed, such as its time', async (t) => {
      const { store, sequences } = await filled(t);
      await store.db
        .updateTable('auditEntry')
        .set({ at: new Date(0) })
        .where('sequence', '=', 3)
        .execute();
      assert.deepEqual(await store.audit.expire(new Date(4)), ['T1']);
      assert.deepEqual(await sequences(), [3, 4, 5, 6]);
      assert.deepEqual(kindsFor(await problemsOf(store), 3), ['changed']);
    });

    it('keeps a chain whose entries are gone', async (t) => {
      const { store } = await filled(t);
      await store.db.deleteFrom('auditEntry').execute();
      assert.deepEqual(await store.audit.expire(new Date(4)), ['T1']);
      assert.deepEqual(kindsFor(await problemsOf(store), 1), ['cut_off']);
    });
  });
});
