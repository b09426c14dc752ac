import fc from 'fast-check';
import { findCountries } from '../../../../src/domain/phone/country-names.ts';
import { Secret } from '../../../../src/lib/secret.ts';
import type { Outcome } from '../../../../src/provider/errors.ts';
import { providerError } from '../../../../src/provider/response/error-messages.ts';
import type { EsimPlan } from '../../../../src/services/esims/esim-plans.ts';
import type { EsimCountryChoice } from '../../../../src/services/esims/esims.ts';
import { countriesView } from '../../../../src/slack/features/esims/countries.ts';
import { esimListView } from '../../../../src/slack/features/esims/list.ts';
import { confirmView, orderingView } from '../../../../src/slack/features/esims/order.ts';
import { orderOutcomeView } from '../../../../src/slack/features/esims/outcome-view.ts';
import { plansView } from '../../../../src/slack/features/esims/plans.ts';
import {
  installationView,
  loadingQrView,
  qrChannelView,
  qrSentView,
  qrSharedView,
} from '../../../../src/slack/features/esims/share.ts';
import { esimStatusView, pickerView } from '../../../../src/slack/features/esims/status.ts';
import {
  at,
  drawn,
  type Examples,
  fixed,
  operationsOf,
  type Words,
} from '../../../support/slack/example-words.ts';

const everywhere = findCountries('').map(({ iso3 }) => iso3);
const iccid = '8923490000000421208';
const someIccid = fc.stringMatching(/^89\d{16,20}$/);

export const esims: Examples = (words) => {
  const { any, label } = words;
  const plan = planOf(words);
  const intent = fc.constantFrom('create' as const, 'top_up' as const);
  const esim = fc.record({
    iccid: someIccid,
    state: label,
    productId: label,
    lastOperationDate: fc.date({ noInvalidDate: true }),
    raw: fc.constant({}),
  });
  const country: fc.Arbitrary<EsimCountryChoice> = fc.record(
    { name: label, iso2: label, iso3: label, region: label },
    { requiredKeys: ['name'] },
  );
  return {
    plansView: drawn(
      { plans: fc.array(plan, { maxLength: 60 }), forTopUp: fc.boolean(), deprecated: fc.boolean() },
      ({ plans, forTopUp, deprecated }) => {
        const use = forTopUp ? ({ intent: 'top_up', iccid: '8944' } as const) : ({ intent: 'any' } as const);
        const page = { plans, number: 3, totalPages: 9, totalElements: 120, last: false, deprecated };
        return plansView(
          { use, position: { page: 3, from: 0 } },
          { kind: 'answered', value: page },
          { canOrder: true, seesEsims: true },
        );
      },
    ),
    confirmView: fc
      .record({ plan, intent, sim: fc.option(someIccid, { nil: undefined }), looked: fc.boolean() })
      .map(({ plan, intent, sim, looked }) => {
        const [iso3] = plan.countries.slice(-1);
        const choice = {
          plan,
          ...(looked && iso3 !== undefined && { iso3 }),
          ...(sim !== undefined && { iccid: sim }),
        };
        return { intent, key: 'a'.repeat(22), choice };
      })
      // A choice longer than a button's value has no button, so it is never confirmed.
      .filter(({ choice }) => JSON.stringify(choice).length <= 2_000)
      .map(confirmView),
    orderingView: intent.map(orderingView),
    orderOutcomeView: drawn(
      {
        operation: fc.oneof(operationsOf(words, 'esim.create'), operationsOf(words, 'esim.top_up')),
        esim: fc.constantFrom(undefined, { iccid, state: 'RELEASED' }),
      },
      ({ operation, esim }) => orderOutcomeView(operation, esim),
    ),
    esimListView: fc.array(esim, { maxLength: 130 }).map((records) =>
      esimListView(
        { page: 0, from: 0 },
        {
          kind: 'answered',
          value: {
            records,
            number: 0,
            size: 15,
            numberOfElements: 15,
            first: true,
            last: true,
            empty: false,
            raw: {},
          },
        },
      ),
    ),
    countriesView: drawn(
      {
        records: fc.array(country, { maxLength: 60 }),
        text: any.map((text) => text.slice(0, 100)),
        note: label,
      },
      ({ text, ...found }) => countriesView({ text, position: { page: 0, from: 0 } }, found),
    ),
    esimStatusView: statusOf(words).map((status) => esimStatusView(status, { canOrder: true })),
    pickerView: any.map((typed) => pickerView(typed, 'An ICCID has digits only.')),
    installationView: drawn(
      { smdp: label, code: label, asksConfirmation: fc.constantFrom(true, false, undefined) },
      ({ smdp, code, asksConfirmation }) => {
        const whole = new Secret(`LPA:1$${smdp}$${code}`);
        return installationView(iccid, { smdp, code: new Secret(code), whole, asksConfirmation });
      },
    ),
    qrSentView: fc
      .boolean()
      .map((isDrawn) => qrSentView(iccid, { content: Buffer.of(), format: 'png', isDrawn })),
    qrChannelView: fc.constant(qrChannelView(iccid)),
    qrSharedView: fc.constant(qrSharedView('C0SUPPORT')),
    ...fixed({ loadingQrView }),
  };
};

/** A plan with any text, any figures, and none to all of the world's countries. */
function planOf({ label }: Words): fc.Arbitrary<EsimPlan> {
  return fc.record(
    {
      productId: label,
      name: label,
      data: fc.double({ noNaN: true }),
      time: fc.double({ noNaN: true }),
      price: label,
      currency: label,
      type: fc.oneof(fc.constantFrom('LOCAL', 'REGION', 'DESTINATION'), label),
      countries: fc.oneof(fc.constantFrom<string[]>([], ['NGA'], everywhere), fc.subarray(everywhere)),
    },
    { requiredKeys: ['productId', 'name', 'countries'] },
  );
}

/** The status of an eSIM: of its profile, plan and usage, each may be an error, or lack any field. */
function statusOf({ label }: Words) {
  const date = fc.date({ noInvalidDate: true });
  function part<T extends object>(
    fields: { [Key in keyof T]: fc.Arbitrary<T[Key]> },
    requiredKeys: (keyof T)[],
  ) {
    const accepted = fc.record(fields, { requiredKeys }).map(
      (value): Outcome<T & { raw: unknown }> => ({
        kind: 'accepted',
        value: { ...value, raw: {} } as never,
      }),
    );
    const failed = label.map(
      (providerMessage): Outcome<T & { raw: unknown }> => ({
        kind: 'unconfirmed',
        error: providerError('unconfirmed', {
          operation: 'esims.usage',
          reason: 'server_error',
          providerMessage,
        }),
      }),
    );
    return fc.oneof(accepted, failed);
  }
  const figures = {
    dataTotalGigabyte: fc.double({ noNaN: true }),
    dataUsedGigabyte: fc.double({ noNaN: true }),
  };
  return fc.record({
    iccid: fc.constant(iccid),
    profile: part(
      {
        iccid: label,
        imsi: label,
        state: label,
        smdp: label,
        lastOperationDate: date,
        releaseDate: date,
        reuseRemainingCount: fc.integer(),
      },
      ['iccid'],
    ),
    plan: part(
      {
        status: fc.oneof(fc.constantFrom('NOT_ACTIVE', 'ACTIVE', 'EXPIRED'), label),
        dataPlan: label,
        createdDate: date,
        activatedDate: date,
        expiryDate: date,
        windowActivationEndDate: date,
      },
      ['status'],
    ),
    usage: part(figures, ['dataUsedGigabyte']),
    at: fc.constant(at),
  });
}
