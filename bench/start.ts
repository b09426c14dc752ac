import { execFileSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startProvider } from '../sandbox/provider/server.ts';
import { median, table } from './support/figures.ts';
import { startProgram } from './support/program.ts';
import { startSlack } from './support/slack.ts';
import { connectedSettings, startOptions } from './support/switchboard.ts';
import { slackSettings } from './support/workspace.ts';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    settle: { type: 'string', default: '5' },
    bundle: { type: 'string' },
  },
});
const slack = await startSlack();
const provider = await startProvider();
const settings = await connectedSettings(slack.url, provider.url, provider.account.key);
const sides: Record<string, () => ReturnType<typeof startProgram>> = {
  bare: () => startProgram(new URL('bare-app.ts', import.meta.url), slackSettings(slack.url)),
  ts: () => startProgram(new URL('../src/main.ts', import.meta.url), settings, undefined, startOptions),
};
for (const b of options.bundle?.split(',') ?? [])
  sides[b] = () => startProgram(new URL('file://' + b), settings, undefined, startOptions);
const seen: Record<string, { ms: number; mb: number }[]> = {};
for (let r = 0; r < Number(options.rounds); r++)
  for (const [n, s] of Object.entries(sides)) {
    const t = performance.now();
    const p = await s();
    const ms = performance.now() - t;
    await wait(1000 * Number(options.settle));
    const mb = Number(execFileSync('ps', ['-o', 'rss=', '-p', String(p.pid)])) / 1024;
    (seen[n] ??= []).push({ ms, mb });
    await p.stop();
  }
console.log(
  table([
    ['', 'ms', 'MB'],
    ...Object.entries(seen).map(([n, l]) => [
      n,
      median(l.map((x) => x.ms)).toFixed(0),
      median(l.map((x) => x.mb)).toFixed(0),
    ]),
  ]),
);
await slack.stop();
await provider.stop();
