import fc from 'fast-check';
import { findCountries } from '../../../../src/domain/phone/country-names.ts';
import { Secret } from '../../../../src/lib/secret.ts';
import type { Outcome } from '../../../../src/provider/errors.ts';
import { providerError } from '../../../../src/provider/response/error-messages.ts';
import type { EsimPlan } from '../../../../src/services/esims/esim-plans.ts';
import { installationView } from '../../../../src/slack/features/esims/installation.ts';
import { confirmView, orderOutcomeView } from '../../../../src/slack/features/esims/orders.ts';
import { plansView } from '../../../../src/slack/features/esims/plans.ts';
import { esimStatusView } from '../../../../src/slack/features/esims/status.ts';
import { at, drawn, type Examples, operationsOf, type Words } from '../../../support/slack/example-words.ts';

const everywhere = findCountries('').map(({ iso3 }) => iso3);
const iccid = '8923490000000421208';
const someIccid = fc.stringMatching(/^89\d{16,20}$/);

export const esims: Examples = (words) => {
  const { label } = words;
  const plan = planOf(words);
  const intent = fc.constantFrom('create' as const, 'top_up' as const);
  return {
    plansView: drawn(
      { plans: fc.array(plan, { maxLength: 60 }), forTopUp: fc.boolean(), deprecated: fc.boolean() },
      ({ plans, forTopUp, deprecated }) => {
        const use = forTopUp ? ({ intent: 'top_up', iccid: '8944' } as const) : ({ intent: 'any' } as const);
        const page = {
          plans,
          number: 3,
          totalPages: 9,
          totalElements: 120,
          last: false,
          unreadable: [{}],
          deprecated,
        };
        return plansView({ use, position: { page: 3, from: 0 } }, page, { canOrder: true, seesEsims: true });
      },
    ),
    confirmView: fc
      .record({
        ...{ plan, intent, before: plan, looked: fc.boolean() },
        sim: fc.option(someIccid, { nil: undefined }),
        approvalIn: fc.constantFrom(undefined, 'C0SUPPORT'),
        changes: fc.subarray(['offer', 'approval_needed', 'approval_not_needed'] as const),
      })
      .map(({ plan, intent, before, sim, looked, approvalIn, changes }) => {
        const [iso3] = plan.countries.slice(-1);
        const choice = {
          plan,
          ...(looked && iso3 !== undefined && { iso3 }),
          ...(sim !== undefined && { iccid: sim }),
        };
        const shown = changes.length > 0 ? { plan: before, changes } : undefined;
        return { confirmation: { intent, key: 'a'.repeat(22), choice, approvalIn }, shown };
      })
      // A choice longer than a button's value has no button, so it is never confirmed.
      .filter(({ confirmation }) => JSON.stringify(confirmation.choice).length <= 2_000)
      .map(({ confirmation, shown }) => confirmView(confirmation, shown)),
    orderOutcomeView: drawn(
      {
        operation: fc.oneof(operationsOf(words, 'esim.create'), operationsOf(words, 'esim.top_up')),
        esim: fc.constantFrom(undefined, { iccid, state: 'RELEASED' }),
      },
      ({ operation, esim }) => orderOutcomeView(operation, esim),
    ),
    esimStatusView: statusOf(words).map((status) => esimStatusView(status, { canOrder: true })),
    installationView: drawn(
      { smdp: label, code: label, asksConfirmation: fc.constantFrom(true, false, undefined) },
      ({ smdp, code, asksConfirmation }) => {
        const whole = new Secret(`LPA:1$${smdp}$${code}`);
        const link = new Secret(
          `https://setup.example/install?carddata=${encodeURIComponent(whole.reveal())}`,
        );
        return installationView(iccid, {
          typed: { smdp, code: new Secret(code), whole, asksConfirmation },
          link: asksConfirmation === undefined ? undefined : link,
        });
      },
    ),
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
