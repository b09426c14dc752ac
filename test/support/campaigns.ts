import { setTimeout as pause } from 'node:timers/promises';
import type { ProviderSandbox } from '../../sandbox/provider/server.ts';
import type { AcceptedMessage } from '../../sandbox/provider/state/state.ts';
import type { Person } from './slack/slack-user.ts';

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

/** Fills in the form, on the DND route unless told otherwise, and has the recipients read. */
export async function compose(person: Person, bulk: Bulk): Promise<void> {
  await person.types('/sms', 'bulk');
  await person.seesModal('Send to many');
  if (bulk.file === undefined) {
    await person.fills('To', 'Numbers I type or paste');
    await person.fills('Phone numbers', bulk.pasted ?? '');
  } else {
    await person.drops('File', 'customers.csv', bulk.file);
  }
  await person.fills('Route', bulk.route ?? 'DND');
  await person.fills(bulk.route === 'Chat app' ? 'Device' : 'Sender ID', bulk.from ?? 'PalmMarket');
  await person.fills('Message', bulk.text ?? 'Our shop opens at nine');
  if (bulk.name !== undefined) {
    await person.fills('Name', bulk.name);
  }
  await person.submits();
}

/** Starts what the preview shows, in a channel where one is given. */
export async function start(person: Person, channel?: string): Promise<void> {
  await person.seesModal('Send to these?');
  if (channel !== undefined) {
    await person.fills('Show the progress', 'In a channel');
    await person.fills('Channel', channel);
  }
  await person.submits();
}

/** Every number that the provider accepted a message to, as often as it did, in order. */
export function reached(record: readonly Pick<AcceptedMessage, 'to'>[]): string[] {
  return record.flatMap(({ to }) => to.map((number) => `+${number}`)).sort();
}

/** Resolves once the provider has accepted messages to so many numbers. */
export async function provided({ record }: Pick<ProviderSandbox, 'record'>, count: number): Promise<void> {
  await eventually(() => reached(record).length >= count, `${count} recipients`);
}

/** Waits for what nobody tells of by itself. */
export async function eventually(isSo: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!isSo()) {
    if (performance.now() > deadline) {
      throw new Error(`Waited in vain for ${what}.`);
    }
    await pause(10);
  }
}
