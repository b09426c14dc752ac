import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { type SoakResult, soak } from './soak.ts';

/** `npm run soak -- --minutes 10 --seed 7` simulates users while a share of the calls to Slack fails. */
const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '2' }, seed: { type: 'string' } },
});
const seed = Number(values.seed ?? randomInt(2 ** 31));
console.log(`seed ${seed}`);

const ends: (() => void | Promise<void>)[] = [];
try {
  const soaked = await soak({ after: (end) => ends.unshift(end) }, { minutes: Number(values.minutes), seed });
  for (const line of report(soaked)) {
    console.log(line);
  }
  const faults = faultsOf(soaked);
  for (const fault of faults) {
    console.error(`FAILED: ${fault}`);
  }
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  for (const end of ends) {
    await end();
  }
}

function report(soaked: SoakResult): string[] {
  const { outcomes, slackCalls, growth } = soaked;
  return [
    `${count(soaked.tasks)} tasks of people, ${count(soaked.brokenOff)} of them broken off`,
    `${count(slackCalls.calls)} calls of Slack, ${count(slackCalls.failed)} of them failed`,
    `${count(soaked.operations)} operations and ${count(soaked.campaigns)} campaigns ended: ` +
      `${count(outcomes.reported)} told, ${count(outcomes.uncertain)} said to be uncertain, ${count(outcomes.silent.length)} neither`,
    `${count(soaked.recipients)} recipients, ${count(soaked.sentTwice)} of them sent to twice`,
    ...growth.map(({ what, first, last }) => `${what}: ${amount(what, first)}, then ${amount(what, last)}`),
  ];
}

function faultsOf(soaked: SoakResult): string[] {
  const { outcomes, growth } = soaked;
  const faults: [boolean, string][] = [
    [soaked.operations === 0 || soaked.campaigns === 0, 'nothing was sent'],
    [outcomes.silent.length > 0, `nobody was told of ${outcomes.silent.slice(0, 10).join(', ')}`],
    [outcomes.twice.length > 0, `twice in a channel: ${outcomes.twice.slice(0, 10).join(', ')}`],
    [soaked.sentTwice > 0, `${soaked.sentTwice} recipients were sent to twice`],
    [soaked.undelivered > 0, `${soaked.undelivered} outcomes were not told in the end`],
    [soaked.refused > 0, `${soaked.refused} outcomes were given up`],
    [soaked.exitCode !== 0, `the program ended with ${soaked.exitCode}`],
    ...growth.map(({ what, isTooMuch }): [boolean, string] => [isTooMuch, `${what} grew`]),
  ];
  return faults.flatMap(([failed, fault]) => (failed ? [fault] : []));
}

function count(figure: number): string {
  return figure.toLocaleString('en');
}

function amount(what: string, figure: number): string {
  return what === 'rss' || what === 'heap' ? `${Math.round(figure / 2 ** 20)} MB` : count(figure);
}
