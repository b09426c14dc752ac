import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PhoneNumber } from '../../../src/domain/phone/phone-number.ts';
import { startOf, workspaceId } from '../../support/campaign-harness.ts';
import { customers, limitedTeam, limitOf, sequentialNumbers } from '../../support/limit-days.ts';

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
    const day = await limitedTeam(test, { requests: 8 });
    const { harness, send, sendCode, pass } = day;
    const called = customers(500);
    const written = customers(1_100).reverse();
    /** Codes that customers read out a minute later. */
    const onTheLine: (() => Promise<unknown>)[] = [];
    let messages = 0;
    for (let turn = 0; turn < 1_100; turn += 1) {
      const [customer] = written.slice(turn, turn + 1);
      assert.ok(customer);
      const recipients = turn % 11 === 0 ? written.slice(turn, turn + 10) : [customer];
      assert.equal((await send(agent(turn), recipients)).kind, 'performed');
      messages += recipients.length;
      pass(15 * second);
      const toVerify = onTheLine.shift();
      assert.ok(toVerify === undefined || (await toVerify()) !== undefined);
      const number = called[turn];
      if (number !== undefined) {
        const { sent, verify } = await sendCode(agent(turn * 7), number, turn % 5 === 0 ? 'voice' : 'sms');
        assert.equal(sent.kind, 'performed');
        if (turn % 100 < 85) {
          onTheLine.push(verify);
        }
      }
      pass(15 * second);
    }
    assert.ok(messages >= 2_000 - 10, `${messages} messages`);
    for (const id of ['morning', 'noon', 'evening']) {
      await harness.read(id, 1_000);
      assert.equal((await harness.services.campaigns.start(startOf(id))).kind, 'started');
      harness.begin();
      await harness.until(id, ({ state }) => state === 'done');
      pass(hour);
    }
    assert.deepEqual(await harness.services.limits.reachedNow(workspaceId, 10), []);
  });
});

describe('pumping codes', () => {
  it('to numbers of one block stops at exactly ten, by one agent and by several', async (test) => {
    const attack = await limitedTeam(test);
    const [one, several] = [sequentialNumbers('+23490612', 60), sequentialNumbers('+23490613', 60)];
    const alone = await pump(attack, one, { agents: ['U0BAD'], between: 7 * second });
    assert.deepEqual(alone, { sent: 10, refusals: { block: 50 } });
    const together = await pump(attack, several, { agents: team.slice(0, 6), between: 2 * second });
    assert.deepEqual(together, { sent: 10, refusals: { block: 50 } });
  });

  it('to numbers of many blocks stops at exactly 32, by one agent as fast as the limits allow', async (test) => {
    const attack = await limitedTeam(test);
    // Ten go out each minute. Twenty are three minutes old, and none is verified, when the fifth minute begins.
    const result = await pump(attack, customers(200), { agents: ['U0BAD'], between: 6 * second });
    assert.deepEqual(result, { sent: 0, refusals: {} });
    // The others go on.
    const [{ sent }] = await Promise.all([attack.sendCode('U0GOOD', customers(201)[200] ?? ('' as never))]);
    assert.equal(sent.kind, 'performed');
  });

  it('spread over many agents stops at exactly 110', async (test) => {
    const attack = await limitedTeam(test);
    const result = await pump(attack, customers(300), { agents: team, between: 2 * second });
    assert.deepEqual(result, { sent: 0, refusals: {} });
  });
});
