import { execFileSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { isFresh } from '../bin/start.mjs';
import { startProvider } from '../sandbox/provider/server.ts';
import { median, table } from './support/figures.ts';
import { startProgram } from './support/program.ts';
import { startSlack } from './support/slack.ts';
import { connectedSettings, startOptions } from './support/switchboard.ts';
import { slackSettings } from './support/workspace.ts';

/**
 * `npm run bench`: how long the program takes to be ready, and what it holds when idle, compared with a bare Bolt app: from
 * `src`, and from the bundle of `npm run build`. They take turns.
 *
 * `node bench/start.ts --rounds 7 --idle 5`, with the seconds before the memory is read.
 */
const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '7' }, idle: { type: 'string', default: '5' } },
});
const launcher = new URL('../bin/start.mjs', import.meta.url);
/** The most that the bundle takes more than the bare app. */
const targets = { milliseconds: 400, megabytes: 60 };

interface Start {
  milliseconds: number;
  /** Resident, of the whole process. */
  megabytes: number;
}

async function measure(start: () => ReturnType<typeof startProgram>): Promise<Start> {
  const begin = performance.now();
  const program = await start();
  const milliseconds = performance.now() - begin;
  await wait(Number(options.idle) * 1000);
  const kilobytes = Number(
    execFileSync('ps', ['-o', 'rss=', '-p', String(program.pid)], { encoding: 'utf8' }),
  );
  await program.stop();
  return { milliseconds, megabytes: (kilobytes * 1024) / 1e6 };
}

if (!isFresh()) {
  throw new Error('There is no bundle of these sources: `npm run build` makes it.');
}
const slack = await startSlack();
const provider = await startProvider();
const settings = await connectedSettings(slack.url, provider.url, provider.account.key);
const bare = () => startProgram(new URL('bare-app.ts', import.meta.url), slackSettings(slack.url));
const sides = {
  'bare Bolt': bare,
  'Switchboard: src/main.ts': () =>
    startProgram(new URL('../src/main.ts', import.meta.url), settings, undefined, startOptions),
  'Switchboard: npm start': () => startProgram(launcher, settings, undefined, startOptions),
};
const starts = new Map<string, Start[]>(Object.keys(sides).map((name) => [name, []]));
for (let round = 0; round < Number(options.rounds); round += 1) {
  for (const [name, start] of Object.entries(sides)) {
    starts.get(name)?.push(await measure(start));
  }
}
await slack.stop();
await provider.stop();

const middle = (name: string, figure: keyof Start) =>
  median((starts.get(name) ?? []).map((start) => start[figure]));
const more = (name: string, figure: keyof Start) => middle(name, figure) - middle('bare Bolt', figure);
const rows = [...starts.keys()].map((name) => [
  name,
  middle(name, 'milliseconds').toFixed(0),
  more(name, 'milliseconds').toFixed(0),
  middle(name, 'megabytes').toFixed(0),
  more(name, 'megabytes').toFixed(0),
]);
const verdict = (figure: keyof Start) =>
  `≤ ${targets[figure]}: ${more('Switchboard: npm start', figure) <= targets[figure] ? 'met' : 'missed'}`;
console.log(
  table([
    ['', 'ms to ready', 'more', 'idle MB', 'more'],
    ...rows,
    ['target', '', verdict('milliseconds'), '', verdict('megabytes')],
  ]),
);
console.log(
  `Medians of ${options.rounds} starts each; memory is that of the process after ${options.idle} s.`,
);
