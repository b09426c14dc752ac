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
import { anyText } from '../../../support/arbitrary-text.ts';
import { assertSlackAccepts } from '../../../support/slack/assert-slack-accepts.ts';

const everywhere = findCountries('').map(({ iso3 }) => iso3);
const position = { page: 3, from: 0 };
const label = anyText.filter((text) => text.length > 0);

/** Generates a plan with any text, any figures, and none to all of the world's countries. */
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

function assertAccepted(view: ModalView): void {
  assertSlackAccepts(view);
  assert.doesNotMatch(JSON.stringify(view, rendered), /<!channel>|more parts did not fit/);
}

/** Omits the properties that Slack does not render: a mention in them notifies nobody. */
const rendered = (key: string, value: unknown) =>
  ['value', 'private_metadata', 'accessibility_label', 'initial_value'].includes(key) ? undefined : value;

describe('the views of eSIMs', () => {
  it('are accepted by Slack for any plans and any number of them on a page', () => {
    fc.assert(
      fc.property(
        fc.array(plan, { maxLength: 60 }),
        fc.boolean(),
        fc.boolean(),
        (plans, forTopUp, deprecated) => {
          const use = forTopUp
            ? ({ intent: 'top_up', iccid: '8944' } as const)
            : ({ intent: 'any' } as const);
          const page = { plans, number: 3, totalPages: 9, totalElements: 120, last: false, deprecated };
          assertAccepted(
            plansView(
              { use, position },
              { kind: 'answered', value: page },
              { canOrder: true, seesEsims: true },
            ),
          );
        },
      ),
      { numRuns: 40 },
    );
  });

  it('are accepted by Slack for the confirmation of any plan', () => {
    fc.assert(
      fc.property(
        plan,
        fc.constantFrom('create', 'top_up'),
        fc.option(iccid, { nil: undefined }),
        fc.boolean(),
        (of, intent, sim, looked) => {
          const [iso3] = of.countries.slice(-1);
          const choice = {
            plan: of,
            ...(looked && iso3 !== undefined && { iso3 }),
            ...(sim !== undefined && { iccid: sim }),
          };
          // A choice longer than a button's value has no button, so it is never confirmed.
          fc.pre(JSON.stringify(choice).length <= 2_000);
          assertAccepted(confirmView({ intent, key: 'a'.repeat(22), choice }));
        },
      ),
    );
  });

  it('show every eSIM and every country of a page, with *Next* when more than fit', () => {
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
        assertAccepted(view);
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
        (records, text, note) => {
          assertAccepted(countriesView({ text, position: { page: 0, from: 0 } }, { records, note }));
        },
      ),
      { numRuns: 30 },
    );
  });

  it('show the outcome of an order in every state, with the full ICCID to its user only', () => {
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
        assertAccepted(orderOutcomeView(operation, { iccid: number, state: 'RELEASED' }));
        assertAccepted(orderOutcomeView(operation, undefined));
        for (const message of [esimRenderer.forUser(operation), esimRenderer.forChannel(operation)]) {
          assert.equal(checkMessage(message), undefined);
          assert.doesNotMatch(JSON.stringify(message), new RegExp(`<!channel>|undefined|${number}`));
        }
        assert.ok(!esimRenderer.line(operation).source.includes('undefined'));
      }
    }
  });
});
