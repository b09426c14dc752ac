import { setTimeout as pause } from 'node:timers/promises';
import type { ProviderSandbox } from '../../sandbox/provider/server.ts';
import type { AcceptedMessage } from '../../sandbox/provider/state/state.ts';
import type { SlackUser } from './slack/slack-user.ts';

/** Numbers that are on no list and meet no fault: of Glo, none of which ends in 7. */
export function recipients(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `+234805${String(index * 10).padStart(7, '0')}`);
}

export interface Bulk {
  /** The content of a CSV file; or `pasted`. */
  file?: string;
  pasted?: string;
  text?: string;
  route?: string;
  from?: string;
  name?: string;
}

/** Fills in the form, by default on the DND route, and has the recipients read. */
export async function compose(user: SlackUser, bulk: Bulk): Promise<void> {
  await user.types('/sms', 'bulk');
  await user.seesModal('New campaign');
  if (bulk.file === undefined) {
    await user.fills('To', 'Paste numbers');
    await user.fills('Phone numbers', bulk.pasted ?? '');
  } else {
    await user.drops('File', 'customers.csv', bulk.file);
  }
  await user.fills('Route', bulk.route ?? 'Transactional (DND)');
  await user.fills(bulk.route === 'Chat app' ? 'Device' : 'Sender ID', bulk.from ?? 'PalmMarket');
  await user.fills('Message', bulk.text ?? 'Our shop opens at nine');
  if (bulk.name !== undefined) {
    await user.fills('Name', bulk.name);
  }
  await user.submits();
}

/** Opens the review of a follow-up to a group of a campaign’s recipients, as its option says: *Rejected (1)*. */
export async function followUp(user: SlackUser, group: string, edited?: string): Promise<void> {
  await user.presses('Follow up…');
  await user.seesModal('Follow-up');
  await user.fills('To', group);
  if (edited !== undefined) {
    await user.fills('With', 'Edited text');
    await user.fills('Message', edited);
  }
  await user.submits();
}

/** Asks for one of the files of a campaign, by its button: *Download all (3)*. */
export async function downloads(user: SlackUser, file: string): Promise<void> {
  await user.presses('Download…');
  await user.seesModal('Download');
  await user.presses(file);
}

/** Starts what the review shows, in a channel where one is given. */
export async function start(user: SlackUser, channel?: string): Promise<void> {
  await user.seesModal('Campaign review');
  if (channel !== undefined) {
    await user.fills('Post progress to', 'A channel');
    await user.fills('Channel', channel);
  }
  await user.submits();
}

/** Every number that the provider accepted a message to, once per message, sorted. */
export function reached(record: readonly Pick<AcceptedMessage, 'to'>[]): string[] {
  return record.flatMap(({ to }) => to.map((number) => `+${number}`)).sort();
}

/** Resolves once the provider has accepted messages to `count` numbers. */
export async function provided(provider: Pick<ProviderSandbox, 'record'>, count: number): Promise<void> {
  await eventually(() => reached(provider.record).length >= count, `${count} recipients`);
}

/** Polls a condition that nothing announces. Rejects after a minute. */
export async function eventually(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!(await isSo())) {
    if (performance.now() > deadline) {
      throw new Error(`Waited in vain for ${what}.`);
    }
    await pause(10);
  }
}

/** A file with a text for each recipient, so that each takes a request. */
export const personal = (numbers: readonly string[]) =>
  ['Name,Phone', ...numbers.map((number) => `Ada,${number}`)].join('\n');
