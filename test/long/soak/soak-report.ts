import type { SoakResult } from './soak.ts';

/** What a soak found, in lines. */
export function reportOf(soaked: SoakResult): string[] {
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

/** Returns what is wrong in what a soak found. */
export function faultsOf(soaked: SoakResult): string[] {
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
