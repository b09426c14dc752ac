import { deepEqual, ok } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { budgetPeriod } from '../../../src/domain/limits/budget-period.ts';
import { budgetCharges } from '../../../src/services/limits/budgets.ts';
import { createLimitStore } from '../../../src/store/workspaces/limits/limit-store.ts';
import type { Taken } from '../../../src/store/workspaces/limits/windows.ts';
import { rounds } from '../../support/sizes.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';

const budget = { day: 20, month: 50 };

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ take: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 3 }) }),
  },
  { weight: 3, arbitrary: fc.record({ giveBack: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ passMs: fc.integer({ min: 1, max: 3 * 60_000 }) }) },
);

/** A month of Lagos ends, and one of its days. */
const monthEnds = (month: number) =>
  budgetPeriod('month', new Date(Date.UTC(2030, month, 15))).ends.getTime();

forEachDatabase((database) => {
  test('a budget counts what was taken and not given back, also by slow takers around the ends of its periods', async (t) => {
    const store = await temporaryStore(t, { database });
    let now = 0;
    let slowness: readonly number[] = [];
    let readings = 0;
    /** Some time passes between any two readings: what begins in one period may be stored in the next. */
    const clock = () => {
      readings += 1;
      now += slowness[readings % slowness.length] ?? 0;
      return new Date(now);
    };
    const limits = createLimitStore({ db: store.db, phoneHashes: { of: async () => [] }, clock });
    let run = 0;

    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 3, maxLength: 16 }),
        fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 400 }),
        async (steps, slownessOfRun, before) => {
          run += 1;
          const workspaceId = `T${run}`;
          slowness = slownessOfRun;
          now = monthEnds(run) - before;
          const model = new Map<string, number>();
          const add = (charges: readonly Taken[], sign: 1 | -1) => {
            for (const { key, points } of charges) {
              model.set(key, (model.get(key) ?? 0) + sign * points);
            }
          };
          const held: (readonly Taken[])[] = [];
          for (const next of steps) {
            if ('passMs' in next) {
              now += next.passMs;
            } else if ('giveBack' in next) {
              const [charges] = held.splice(next.giveBack % Math.max(1, held.length), 1);
              await limits.giveBack(workspaceId, charges ?? []);
              add(charges ?? [], -1);
            } else {
              const outcomes = await Promise.all(
                next.take.map((pages) => limits.take(workspaceId, budgetCharges(budget, pages, clock()))),
              );
              for (const outcome of outcomes) {
                if (outcome.kind === 'taken') {
                  held.push(outcome.charges);
                  add(outcome.charges, 1);
                }
              }
            }
            const rows = await store.db
              .selectFrom('limitWindow')
              .select(['key', 'points'])
              .where('workspaceId', '=', workspaceId)
              .where('key', 'like', 'pages/%')
              .execute();
            deepEqual(new Map(rows.map(({ key, points }) => [key, Number(points)])), model);
            for (const [key, pages] of model) {
              ok(pages <= (key.startsWith('pages/day') ? budget.day : budget.month), `${key}: ${pages}`);
            }
          }
        },
      ),
      { numRuns: rounds(60) },
    );
  });
});
