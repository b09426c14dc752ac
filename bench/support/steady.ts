import { setTimeout as wait } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Answers, Load } from './load.ts';

/**
 * Sends POST requests at a steady rate until a promise settles. None waits for the response to another, so that slow
 * responses do not lower the load. Throws when one failed or had another status than 200.
 */
export async function loadSteadily(
  { url, next, isRight, perSecond }: Omit<Load, 'connections' | 'seconds'> & { perSecond: number },
  until: Promise<unknown>,
): Promise<Answers> {
  const dispatcher = new Agent({ pipelining: 1 });
  const times: number[] = [];
  let wrong = 0;
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  until.then(end, end);

  const ask = async () => {
    const { headers, body } = next();
    const begin = performance.now();
    const answer = await request(url, { dispatcher, method: 'POST', headers, body });
    const text = await answer.body.text();
    times.push(performance.now() - begin);
    if (answer.statusCode !== 200) {
      throw new Error(`A response from ${url} had the status ${answer.statusCode}.`);
    }
    if (!isRight(text)) {
      wrong += 1;
    }
  };
  const asking: Promise<void>[] = [];
  const begin = performance.now();
  while (!isOver) {
    asking.push(ask());
    await wait(Math.max(0, begin + (asking.length * 1000) / perSecond - performance.now()));
  }
  await Promise.all(asking);
  await until;
  await dispatcher.close();
  return { times, wrong };
}
