import assert from 'node:assert/strict';
import { it } from 'node:test';
import { CompiledQuery, createQueryId, type KyselyPlugin, type RootOperationNode } from 'kysely';
import { countCosts } from '../../../src/store/deliveries/costs/count-costs.ts';
import { onlyOn } from '../../support/store/databases.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';

it(
  'reads a page of what is uncounted, and sorts nothing, however many deliveries a workspace has',
  onlyOn('sqlite', 'its plans can be read without data'),
  async (test) => {
    const { db, deliveries } = await temporaryStore(test);
    const report = { providerId: 'm1', number: '+2348031234501', status: 'DELIVERED', cost: '4.25' };
    await deliveries.record('T1', [{ ...report, source: 'report' }]);
    const statements: RootOperationNode[] = [];
    const noting: KyselyPlugin = {
      transformQuery({ node }) {
        statements.push(node);
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const options = { now: Date.now(), currencyOf: async () => () => 'NGN' };
    await countCosts(db.withPlugin(noting), options, new AbortController().signal);

    const plans: string[] = [];
    for (const node of statements.filter(({ kind }) => kind === 'SelectQueryNode')) {
      const { sql, parameters } = db.getExecutor().compileQuery(node, createQueryId());
      if (sql.includes('"count_after"')) {
        const plan = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]);
        const { rows } = await db.executeQuery<{ detail: string }>(plan);
        plans.push(rows.map(({ detail }) => detail).join('\n'));
      }
    }
    assert.equal(plans.length, 2);
    for (const plan of plans) {
      assert.match(plan, /delivery_uncounted/);
      assert.doesNotMatch(plan, /TEMP B-TREE FOR ORDER BY/);
    }
  },
);
