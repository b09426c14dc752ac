import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ModalView } from '@slack/types';
import fc from 'fast-check';
import { checkMessage } from '../../../../sandbox/slack/block-kit/surfaces.ts';
import { findCountries } from '../../../../src/domain/phone/country-names.ts';
import type { EsimPlan } from '../../../../src/services/esims/esim-plans.ts';
import type { EsimCountryChoice } from '../../../../src/services/esims/esims.ts';
import { confirmView } from '../../../../src/slack/features/esims/confirm-view.ts';
import { countriesView } from '../../../../src/slack/features/esims/countries-view.ts';
import { esimListView } from '../../../../src/slack/features/esims/list-view.ts';
import { esimRenderer, orderOutcomeView } from '../../../../src/slack/features/esims/outcome-view.ts';
import { plansView } from '../../../../src/slack/features/esims/plans-view.ts';
import type { Operation } from '../../../../src/store/operations/ledger.ts';
import { anyText } from '../../../support/arbitrary.ts';
import { assertSlackTakes } from '../../../support/slack-takes.ts';

const everywhere = findCountries('').map(({ iso3 }) => iso3);
const position = { page: 3, from: 0 };
const label = anyText.filter((text) => text.length > 0);

/** As the provider may list it: any words, any figures, none or all of the countries of the world. */
const plan: fc.Arbitrary<EsimPlan> = fc.record(
  {
    productId: label,
    name: label,
    data: fc.double({ noNaN: true }),
    time: fc.double({ noNaN: true }),
    price: label,
    currency: label,
    type: fc.oneof(fc.constantFrom('LOCAL', 'REGION', 'DESTINATION'), label),
    countries: fc.oneof(
      fc.constant<string[]>([]),
      fc.constant<string[]>(['NGA']),
      fc.constant(everywhere),
      fc.subarray(everywhere),
    ),
  },
  { requiredKeys: ['productId', 'name', 'countries'] },
);

const iccid = fc.stringMatching(/^89\d{16,20}$/);

function taken(view: ModalView): void {
  assertSlackTakes(view);
  assert.doesNotMatch(JSON.stringify(view, shown), /<!channel>|more parts did not fit/);
}

/** Without what travels along unseen, in which nothing rings. */
const shown = (key: string, value: unknown) =>
  ['value', 'private_metadata', 'accessibility_label', 'initial_value'].includes(key) ? undefined : value;

describe('the views of eSIMs', () => {
  it('are taken by Slack whatever plans the provider lists, and however many on one page', () => {
    fc.assert(
      fc.property(
        fc.array(plan, { maxLength: 60 }),
        fc.boolean(),
        fc.boolean(),
        (plans, forTopUp, deprecated) => {
          const use = forTopUp ? ({ deed: 'top_up', iccid: '8944' } as const) : ({ deed: 'any' } as const);
          const page = { plans, number: 3, totalPages: 9, totalElements: 120, last: false, deprecated };
          taken(plansView({ use, position }, { kind: 'answered', value: page }));
        },
      ),
      { numRuns: 40 },
    );
  });

  it('are taken by Slack for any plan that is to be confirmed', () => {
    fc.assert(
      fc.property(
        plan,
        fc.constantFrom('create', 'top_up'),
        fc.option(iccid, { nil: undefined }),
        fc.boolean(),
        (of, deed, sim, looked) => {
          const [iso3] = of.countries.slice(-1);
          const choice = {
            plan: of,
            ...(looked && iso3 !== undefined && { iso3 }),
            ...(sim !== undefined && { iccid: sim }),
          };
          // What is longer than a button's value has no button, and so comes to no confirmation.
          fc.pre(JSON.stringify(choice).length <= 2_000);
          taken(confirmView({ deed, key: 'a'.repeat(22), choice }));
        },
      ),
    );
  });

  it('show every eSIM and every country of a page, and lead on where there are more than fit', () => {
    const esim = fc.record({
      iccid,
      state: label,
      productId: label,
      lastOperationDate: fc.date({ noInvalidDate: true }),
    });
    fc.assert(
      fc.property(fc.array(esim, { maxLength: 130 }), (sims) => {
        const records = sims.map((sim) => ({ ...sim, raw: {} }));
        const page = {
          records,
          number: 0,
          size: 15,
          numberOfElements: 15,
          first: true,
          last: true,
          empty: false,
          raw: {},
        };
        const view = esimListView({ page: 0, from: 0 }, { kind: 'answered', value: page });
        taken(view);
        assert.equal(JSON.stringify(view).includes('"Next"'), sims.length > 40);
      }),
      { numRuns: 30 },
    );
    const country: fc.Arbitrary<EsimCountryChoice> = fc.record(
      { name: label, iso2: label, iso3: label, region: label },
      { requiredKeys: ['name'] },
    );
    fc.assert(
      fc.property(
        fc.array(country, { maxLength: 60 }),
        fc.string({ maxLength: 100 }),
        label,
        (records, query, note) => {
          taken(countriesView({ query, position: { page: 0, from: 0 } }, { records, note }));
        },
      ),
      { numRuns: 30 },
    );
  });

  it('tell how an order ended, in every state, with the ICCID in full only to the person who made it', () => {
    const number = '8923490000000421208';
    for (const kind of ['esim.create', 'esim.top_up']) {
      for (const state of ['underway', 'accepted', 'rejected', 'not_sent', 'unconfirmed'] as const) {
        const operation: Operation = {
          id: '1',
          workspaceId: 'T1',
          key: 'a'.repeat(22),
          kind,
          userId: 'U1',
          summary: { plan: '<!channel>', productId: 'x', price: '1 NGN', country: 'NGA', iccid: '89•••1208' },
          state,
          createdAt: new Date(),
        };
        taken(orderOutcomeView(operation, { iccid: number, state: 'RELEASED' }));
        taken(orderOutcomeView(operation, undefined));
        for (const told of [esimRenderer.forUser(operation), esimRenderer.forChannel(operation)]) {
          assert.equal(checkMessage(told), undefined);
          assert.doesNotMatch(JSON.stringify(told), new RegExp(`<!channel>|undefined|${number}`));
        }
        assert.ok(!esimRenderer.line(operation).source.includes('undefined'));
      }
    }
  });
});
