import { once } from 'node:events';
import { createServer } from 'node:http';
import { Agent, request } from 'undici';
import { startApp } from '../src/app.ts';
import { readSettings } from '../src/config/settings.ts';
import { type PhoneNumber, phoneNumberSchema, toE164 } from '../src/domain/phone/phone-number.ts';
import { announcePort } from './support/announce-port.ts';
import { digitsOf } from './support/recipients.ts';
import { teamId, userIds } from './support/workspace.ts';

/**
 * One of the two sides of `dnd.ts`: checks numbers as `/dnd-check` does (`SIDE=switchboard`), or with undici's `request`
 * alone, as many at once (`SIDE=bare`). `GET /?numbers=1000` returns how long that took.
 */
type Check = (numbers: readonly PhoneNumber[]) => Promise<void>;

async function startSwitchboard(): Promise<Check> {
  const app = await startApp(await readSettings(process.env));
  const unlimited = 1_000_000_000;
  await app.services.limits.workspace.save(teamId, {
    numbers: {
      'lookups.minute.person': unlimited,
      'lookups.minute.workspace': unlimited,
      'lookups.day.person': unlimited,
      'lookups.day.workspace': unlimited,
    },
  });
  const who = { workspaceId: teamId, userId: userIds[0] ?? '' };
  return async (numbers) => {
    const checked = await app.services.dndChecker.checkDnd(who, numbers);
    if (checked.some(({ dnd }) => dnd === 'unknown')) {
      throw new Error(`Not every number was checked: ${JSON.stringify(checked).slice(0, 300)}`);
    }
  };
}

function createBare(connections: number): Check {
  const dispatcher = new Agent({ connections, pipelining: 1 });
  return async (numbers) => {
    const waiting = numbers.values();
    const loop = async () => {
      for (const number of waiting) {
        const url = new URL('/api/check/dnd', process.env.PROVIDER_BASE_URL);
        url.searchParams.set('phone_number', toE164(number).slice(1));
        url.searchParams.set('api_key', 'bench-key-41c7d90be2');
        const { statusCode, body } = await request(url, { dispatcher });
        await body.json();
        if (statusCode !== 200) {
          throw new Error(`A check was answered with ${statusCode}.`);
        }
      }
    };
    await Promise.all(Array.from({ length: connections }, loop));
  };
}

const check =
  process.env.SIDE === 'bare' ? createBare(Number(process.env.TOGETHER)) : await startSwitchboard();
const server = createServer(async ({ url = '' }, response) => {
  const count = Number(new URL(url, 'http://bench').searchParams.get('numbers'));
  const numbers = Array.from({ length: count }, (_, index) => phoneNumberSchema.parse(`+${digitsOf(index)}`));
  const begin = performance.now();
  await check(numbers);
  response.end(JSON.stringify({ milliseconds: performance.now() - begin }));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
announcePort(server);
