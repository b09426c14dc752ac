import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { ReachedLimit } from '../../src/domain/limits/reached-limit.ts';
import { type PhoneNumber, phoneNumberSchema } from '../../src/domain/phone/phone-number.ts';
import { campaignHarness, type HarnessOptions, workspaceId } from './campaign-harness.ts';
import { orReason } from './refusals.ts';
import { stoppedClock } from './time/test-clock.ts';

/** People who send messages and codes, on a clock that the test moves. */
export async function limitedTeam(
  test: { after(end: () => void | Promise<void>): void },
  options: HarnessOptions = {},
) {
  const moved = stoppedClock();
  const harness = await campaignHarness(test, { ...options, clock: moved.clock });
  const { provider } = harness;
  let asked = 0;
  const nextKey = () => {
    asked += 1;
    return createHash('sha256').update(`request ${asked}`).digest('base64url').slice(0, 22);
  };

  async function send(userId: string, recipients: readonly PhoneNumber[], text = 'Your order is ready.') {
    const { messages } = harness.services;
    const draftId = nextKey();
    const content = { recipients: [...recipients], route: 'dnd' as const, senderId: 'PalmMarket', text };
    const { version } = await messages.save(workspaceId, draftId, userId, content);
    return orReason(messages.send({ workspaceId, userId, draftId, version, seen: {} }));
  }

  async function sendCode(userId: string, to: PhoneNumber, way: 'sms' | 'voice' = 'sms') {
    const { otp } = harness.services;
    const key = nextKey();
    const life = { length: 6, minutes: 10, attempts: 3 };
    const sms = { way: 'sms' as const, to, senderId: 'PalmMarket', text: 'Your code is <code>.', ...life };
    const code = way === 'sms' ? sms : ({ way: 'voice', to, ...life } as const);
    const shown = await otp.shownOf(workspaceId, sms.senderId);
    const sent = await orReason(otp.send({ workspaceId, userId, key, code, shown }));
    const digits = provider.record.at(-1)?.text.match(/\d{6}/)?.[0] ?? '';
    return { sent, verify: () => otp.verify(workspaceId, key, userId, digits) };
  }

  return { ...moved, harness, send, sendCode };
}

/** Asserts that a limit refused it, and returns which. */
export function limitOf(result: { kind: string } | { kind: 'limited'; limit: ReachedLimit }): ReachedLimit {
  assert.ok('limit' in result, JSON.stringify(result));
  return result.limit;
}

/** Customers all over the country, whose numbers have nothing in common. */
export function customers(count: number): PhoneNumber[] {
  const step = 7_919_003;
  return Array.from({ length: count }, (_, index) =>
    phoneNumberSchema.parse(
      `+234803${String((1 + index) * step)
        .slice(-7)
        .padStart(7, '0')}`,
    ),
  );
}
