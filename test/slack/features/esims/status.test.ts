import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { providerError } from '../../../../src/provider/response/error-messages.ts';
import { esimStatusView, usageBar } from '../../../../src/slack/features/esims/status.ts';

describe('the views of an eSIM’s status', () => {
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
    assert.match(same.join('\n'), /\*The provider didn’t answer: plan, data usage, and profile unknown\.\*/);
    const two = textsOf(failed('timed_out'), failed('server_error'), failed('server_error')).join('\n');
    assert.match(two, /plan and data usage unknown\.\* [\s\S]*profile unknown\.\* /);
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
    assert.match(barOf(2, undefined), /^2 GB used · total: unknown$/);
    assert.match(barOf(undefined, 5), /^5 GB total · used: unknown$/);
  });
});
