import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Secret } from '../../../../../src/lib/secret.ts';
import type { Outcome } from '../../../../../src/provider/errors.ts';
import { providerError } from '../../../../../src/provider/response/error-messages.ts';
import { installationView } from '../../../../../src/slack/features/esims/status/installation-view.ts';
import { pickerView } from '../../../../../src/slack/features/esims/status/picker-view.ts';
import { esimStatusView } from '../../../../../src/slack/features/esims/status/status-view.ts';
import { usageBar } from '../../../../../src/slack/features/esims/status/usage-bar.ts';
import { anyText } from '../../../../support/arbitrary-text.ts';
import { assertSlackAccepts } from '../../../../support/slack/assert-slack-accepts.ts';

const label = anyText.filter((text) => text.length > 0);
const date = fc.date({ noInvalidDate: true });

/** Generates a part with any optional field missing, or the error of a request with any message of the provider. */
function part<T extends object>(
  fields: { [Key in keyof T]: fc.Arbitrary<T[Key]> },
  requiredKeys: (keyof T)[],
) {
  const accepted = fc
    .record(fields, { requiredKeys })
    .map(
      (value): Outcome<T & { raw: unknown }> => ({ kind: 'accepted', value: { ...value, raw: {} } as never }),
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

const profile = part(
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
);
const plan = part(
  {
    status: fc.oneof(fc.constantFrom('NOT_ACTIVE', 'ACTIVE', 'EXPIRED'), label),
    dataPlan: label,
    createdDate: date,
    activatedDate: date,
    expiryDate: date,
    windowActivationEndDate: date,
  },
  ['status'],
);
const usage = part(
  { dataTotalGigabyte: fc.double({ noNaN: true }), dataUsedGigabyte: fc.double({ noNaN: true }) },
  ['dataUsedGigabyte'],
);

describe('the views of an eSIM’s status', () => {
  it('are accepted by Slack whatever the provider returns or omits', () => {
    fc.assert(
      fc.property(profile, plan, usage, date, (profile, plan, usage, at) => {
        const view = esimStatusView(
          { iccid: '8923490000000421208', profile, plan, usage, at },
          { canOrder: true },
        );
        assertSlackAccepts(view);
        assert.doesNotMatch(JSON.stringify(view), /<!channel>|more parts did not fit|undefined/);
      }),
    );
  });

  it('say an error once that several parts share', () => {
    const failed = (reason: 'server_error' | 'timed_out') => ({
      kind: 'unconfirmed' as const,
      error: providerError('unconfirmed', { operation: 'esims.usage', reason }),
    });
    const iccid = '8923490000000421208';
    const textsOf = (...[profile, plan, usage]: ReturnType<typeof failed>[]) => {
      assert.ok(profile && plan && usage);
      const { blocks } = esimStatusView({ iccid, profile, plan, usage, at: new Date(0) }, { canOrder: true });
      return blocks.map((block) =>
        'text' in block && typeof block.text === 'object' ? block.text.text : '',
      );
    };
    const same = textsOf(failed('timed_out'), failed('timed_out'), failed('timed_out'));
    assert.equal(same.filter((text) => text.includes(failed('timed_out').error.message)).length, 1);
    assert.match(same.join('\n'), /\*No plan, data usage, or profile\.\*/);
    const two = textsOf(failed('timed_out'), failed('server_error'), failed('server_error')).join('\n');
    assert.match(two, /\*No plan or data usage\.\* [\s\S]*\*No profile\.\* /);
  });

  it('are accepted by Slack for any typed text and any install details', () => {
    fc.assert(
      fc.property(
        anyText,
        label,
        label,
        fc.option(fc.boolean(), { nil: undefined }),
        (typed, smdp, code, asked) => {
          assertSlackAccepts(pickerView(typed, 'An ICCID has digits only.'));
          const whole = new Secret(`LPA:1$${smdp}$${code}`);
          const installation = { smdp, code: new Secret(code), whole, asksConfirmation: asked };
          assertSlackAccepts(installationView('8923490000000421208', installation));
        },
      ),
    );
  });
});

describe('the usage bar of an eSIM', () => {
  const barOf = (used: number | undefined, total: number | undefined) =>
    usageBar({
      raw: {},
      ...(used !== undefined && { dataUsedGigabyte: used }),
      ...(total !== undefined && { dataTotalGigabyte: total }),
    }).source;

  it('is empty only when nothing is used, and full only when nothing is left', () => {
    assert.equal(barOf(0, 5), '░░░░░░░░░░░░░░░░░░░░\n0% used · 0 GB of 5 GB · 5 GB left');
    assert.equal(barOf(0.001, 5), '█░░░░░░░░░░░░░░░░░░░\n1% used · 0.001 GB of 5 GB · 4.999 GB left');
    assert.equal(barOf(1.25, 5), '█████░░░░░░░░░░░░░░░\n25% used · 1.25 GB of 5 GB · 3.75 GB left');
    assert.equal(barOf(4.999, 5), '███████████████████░\n99% used · 4.999 GB of 5 GB · 0.001 GB left');
    assert.equal(barOf(6, 5), '████████████████████\n100% used · 6 GB of 5 GB · 0 GB left');
    assert.equal(barOf(0, 0), '████████████████████\n100% used · 0 GB of 0 GB · 0 GB left');
  });

  it('says which figure the provider omits', () => {
    assert.match(barOf(2, undefined), /^2 GB used · total: not known$/);
    assert.match(barOf(undefined, 5), /^5 GB in all · used: not known$/);
  });
});
