import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { phoneNumberSchema } from '../../../src/domain/phone/phone-number.ts';
import { createCodeVault } from '../../../src/services/otp/codes.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';
import { testContext } from '../../support/test-context.ts';
import { stoppedClock } from '../../support/time/test-clock.ts';

const to = phoneNumberSchema.parse('+2348031234567');
const minute = 60_000;

/** A code that is valid for five minutes, and the program that made it. */
async function begin(test: TestContext) {
  const { clock, pass } = stoppedClock();
  const context = testContext(await temporaryStore(test, { time: clock }));
  const instance = () => createCodeVault(context);
  const codes = instance();
  const sent = { way: 'voice', to, length: 6, minutes: 5, attempts: 3 } as const;
  const make = async (id: string, insteadOf?: string) => {
    const expiresAt = new Date(clock.now().getTime() + 5 * minute);
    return codes.create('T1', id, { userId: 'U1', code: sent, expiresAt, insteadOf });
  };
  const code = (await make('one')) ?? assert.fail('no code');
  return {
    pass,
    code,
    callInstead: () => make('two', 'one'),
    typing: (typed: string, id = 'one') => codes.verify('T1', id, 'U1', typed),
    formOf: (userId: string, id = 'one') => codes.formOf('T1', id, userId),
    remove: (id: string) => codes.delete('T1', id, 'U1'),
    verify: async () => (await codes.verify('T1', 'one', 'U1', code.reveal())).kind,
    instance,
  };
}

describe('a code', () => {
  it('costs no attempt where what was typed cannot be it', async (test) => {
    const { typing, verify } = await begin(test);
    for (const typed of ['12', '1234567', '12345a', '', '12 34', '１２３']) {
      assert.deepEqual(await typing(typed), { kind: 'malformed', length: 6 });
    }
    assert.equal(await verify(), 'match');
  });

  it('matches with anything that people write between its digits', async (test) => {
    const { typing, code } = await begin(test);
    const digits = [...code.reveal()];
    assert.equal(
      (await typing(` ${digits.slice(0, 3).join(' ')} – ${digits.slice(3).join('\u00A0-')}\n`)).kind,
      'match',
    );
  });

  it('says that it has ended before it says that the typed one is too short', async (test) => {
    const { typing, pass } = await begin(test);
    pass(5 * minute);
    assert.deepEqual(await typing('12'), { kind: 'expired' });
  });

  it('counts each attempt and matches once, on whichever instances they are made at the same moment', async (test) => {
    const { instance, code } = await begin(test);
    const instances = [instance(), instance(), instance()];
    const attempt = (typed: string) =>
      Promise.all(instances.map((codes) => codes.verify('T1', 'one', 'U1', typed)));
    const kindsOf = (all: readonly { kind: string }[]) => all.map(({ kind }) => kind).sort();
    assert.deepEqual(kindsOf(await attempt(code.reveal())), ['match', 'used', 'used']);

    const { instance: other, code: guessed } = await begin(test);
    const wrong = String((Number(guessed.reveal()) + 1) % 1_000_000).padStart(6, '0');
    const guesses = [other(), other(), other(), other()].map((codes) =>
      codes.verify('T1', 'one', 'U1', wrong),
    );
    const answers = await Promise.all(guesses);
    assert.deepEqual(kindsOf(answers), ['used_up', 'used_up', 'wrong', 'wrong']);
    assert.deepEqual(answers.flatMap((answer) => ('left' in answer ? [answer.left] : [])).sort(), [1, 2]);
  });

  it('verifies with one that was sent in its place until each expires, with its attempts, and ends with it', async (test) => {
    const { pass, code, typing, verify, callInstead, formOf, remove } = await begin(test);
    pass(4 * minute);
    const later = (await callInstead()) ?? assert.fail('no code');
    const wrong = String((Number(later.reveal()) + 1) % 1_000_000).padStart(6, '0');
    assert.deepEqual(await typing(wrong), { kind: 'wrong', left: 2 });
    assert.equal((await formOf('U1', 'two'))?.way, 'voice');
    pass(minute);
    assert.deepEqual(await typing(code.reveal()), { kind: 'wrong', left: 1 });
    assert.deepEqual(await typing(later.reveal(), 'two'), { kind: 'match' });
    assert.deepEqual(await typing(later.reveal()), { kind: 'used' });
    assert.equal(await callInstead(), undefined);

    const other = await begin(test);
    await other.callInstead();
    await other.remove('two');
    other.pass(5 * minute);
    assert.deepEqual(await other.typing(other.code.reveal()), { kind: 'expired' });
    assert.equal(await verify(), 'used');
    await remove('one');
    assert.equal(await verify(), 'gone');
  });
});
