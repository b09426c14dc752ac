import type { CampaignProgram, Fakes } from './campaigns.ts';
import { percentile } from './figures.ts';
import { atMost } from './measurement.ts';
import type { Row } from './rows.ts';
import { slashCommands } from './slash-commands.ts';
import { loadSteadily } from './steady.ts';

/** Slash commands a second. */
export const perSecond = 100;

/** Sends `/sms help` until a promise settles. Returns the milliseconds until each was acknowledged. */
export async function acknowledge(
  { slack }: Pick<Fakes, 'slack'>,
  { slackEvents }: CampaignProgram,
  until: Promise<unknown>,
): Promise<number[]> {
  const next = slashCommands('/sms', 'help', `${slack}/response`);
  // Once a minute a user is authorised again, and gets the help after an empty acknowledgement.
  const isRight = (body: string) => body === '' || body.includes('How to send an SMS with /sms');
  const { times, wrong } = await loadSteadily({ url: slackEvents, next, isRight, perSecond }, until);
  if (wrong > 0) {
    throw new Error(`${wrong} of ${times.length} answers are not what they should be.`);
  }
  return times;
}

/** Returns the figures of a row that compares the p99 of acknowledgements under load with that of the idle program. */
export function besideIdle(
  busy: readonly number[],
  idle: readonly number[],
  maxRatio: number,
): Omit<Row, 'measure' | 'database'> {
  const [ours, rival] = [percentile(busy, 0.99), percentile(idle, 0.99)];
  return {
    ours: `${ours.toFixed(1)} ms`,
    rival: `${rival.toFixed(1)} ms, idle`,
    ...atMost(maxRatio, ours / rival),
  };
}
