import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PhoneNumber } from '../../../src/domain/phone/phone-number.ts';
import { asSeen, startOf, workspaceId } from '../../support/campaign-harness.ts';
import { customers, limitedTeam, limitOf } from '../../support/limit-days.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

const team = Array.from({ length: 20 }, (_, index) => `U0TEAM${String(index).padStart(2, '0')}`);
const agent = (turn: number): string => team[turn % team.length] ?? '';

type Team = Awaited<ReturnType<typeof limitedTeam>>;

/** How many codes go out before one is refused. `between`: milliseconds from one to the next. */
async function pump(
  { sendCode, pass }: Team,
  numbers: readonly PhoneNumber[],
  { agents, between }: { agents: readonly string[]; between: number },
) {
  const refusals = new Map<string, number>();
  let sent = 0;
  for (const [index, number] of numbers.entries()) {
    const result = (await sendCode(agents[index % agents.length] ?? '', number)).sent;
    if (result.kind === 'limited') {
      const { reason } = limitOf(result);
      const name = 'scope' in reason ? `${reason.rule} ${reason.scope}` : reason.rule;
      refusals.set(name, (refusals.get(name) ?? 0) + 1);
    } else {
      sent += 1;
    }
    pass(between);
  }
  return { sent, refusals: Object.fromEntries(refusals) };
}

describe('a normal day of a team of twenty', () => {
  it('passes untouched: 2,000 messages, 500 codes of which 85% are verified, and three campaigns', async (test) => {
    const { harness, send, sendCode, pass } = await limitedTeam(test, { requests: 8 });
    const called = customers(500);
    /** Codes that customers are about to read out. */
    const onTheLine: (() => Promise<unknown>)[] = [];
    let messages = 0;
    for (const [turn, customer] of called.entries()) {
      if (turn % 5 === 0) {
        const recipients = called.slice(turn, turn + 20);
        assert.equal((await send(agent(turn), recipients)).kind, 'performed');
        messages += recipients.length;
      }
      pass(30 * second);
      await onTheLine.shift()?.();
      const { sent, verify } = await sendCode(agent(turn * 7), customer, turn % 5 === 0 ? 'voice' : 'sms');
      assert.equal(sent.kind, 'performed');
      if (turn % 100 < 85) {
        onTheLine.push(verify);
      }
      pass(30 * second);
    }
    assert.ok(messages >= 1_950, `${messages} messages`);
    for (const id of ['morning', 'noon', 'evening']) {
      await harness.read(id, 1_000);
      assert.equal(
        (await harness.services.campaigns.start(await asSeen(harness.services.campaigns, startOf(id)))).kind,
        'started',
      );
      harness.begin();
      await harness.until(id, ({ state }) => state === 'done');
      pass(hour);
    }
    assert.deepEqual(await harness.services.limits.reachedNow(workspaceId, 10), []);
  });
});

/** One try a second. */
describe('pumping codes', () => {
  it('goes on at ten a minute and 200 a day by one agent; the others go on', async (test) => {
    const attack = await limitedTeam(test);
    const numbers = customers(1_300);
    const hourly = await pump(attack, numbers.slice(0, 60), { agents: ['U0BAD'], between: second });
    assert.equal(hourly.sent, 10);
    const daily = await pump(attack, numbers.slice(60, 1_260), { agents: ['U0BAD'], between: second });
    assert.deepEqual([hourly.sent + daily.sent, Object.keys(daily.refusals)], [200, ['rate person']]);
    const other = numbers.at(-1);
    assert.ok(other);
    assert.equal((await attack.sendCode('U0GOOD', other)).sent.kind, 'performed');
  });

  it('goes on at 30 a minute by many agents', async (test) => {
    const attack = await limitedTeam(test);
    const pumped = await pump(attack, customers(120), { agents: team, between: second });
    assert.deepEqual(pumped, { sent: 60, refusals: { 'rate workspace': 60 } });
  });
});
