import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { z } from 'zod';
import {
  type ProviderSandbox,
  type ProviderSandboxOptions,
  startProvider,
} from '../../../sandbox/provider/server.ts';
import { operations } from '../description/description.ts';
import { requestRows } from '../description/request-rows.ts';
import type { Operation } from '../description/types.ts';
import { partsOf, send } from './send-parts.ts';
import { compose, type Values } from './valid-requests.ts';

/** Noon in Lagos, outside quiet hours. */
const noon = new Date('2026-03-02T11:00:00Z');

export interface World {
  readonly provider: ProviderSandbox;
  /** Values of fields that must name existing data of the sandbox. */
  readonly known: Values;
}

/** Operations that must run before a response can have every field. */
const before: Readonly<Record<string, string>> = {
  'phonebooks.contacts': 'phonebooks.addContact',
  'esims.list': 'esims.purchase',
};

/** A sandbox for one test, with the data that an operation needs. */
export async function worldFor(
  t: TestContext,
  { name }: Operation,
  onExchange: ProviderSandboxOptions['onExchange'] = () => {},
): Promise<World> {
  const provider = await startProvider({ clock: () => noon, onExchange });
  t.after(() => provider.stop());
  // Only the third account can send codes by chat.
  const full = name === 'messages.sendChatOtp';
  const { key, senderIds, emailConfigurations, phonebooks, sims } = full
    ? provider.fullAccount
    : provider.account;
  // The contacts of the last phonebook fit on one page.
  const phonebook = phonebooks.at(-1);
  // The first eSIM is not activated; the second is in use.
  const [, sim] = sims;
  const known = {
    api_key: key,
    // A code by chat is sent from a device, whose name is free.
    ...(!full && { from: senderIds.find(({ status }) => status === 'active')?.sender_id }),
    email_configuration_id: emailConfigurations[0],
    phonebook_id: phonebook?.id,
    contact_id: phonebook?.contacts[0]?.id,
    'contact.api_key': key,
    'contact.pid': phonebook?.id,
    iccid: sim?.iccid,
    ICCID: sim?.iccid,
    productId: sims[0]?.productId,
  };
  const { token } = z
    .object({ token: z.string() })
    .parse(await perform(provider, 'esims.authenticate', known));
  const world = { provider, known: { ...known, 'X-Token': token } };
  const earlier = before[name];
  if (earlier !== undefined) {
    await perform(provider, earlier, world.known);
  }
  return world;
}

/** Runs an operation with all its fields. Returns the response. */
async function perform({ url }: ProviderSandbox, name: string, known: Values) {
  const operation = operations.find((candidate) => candidate.name === name) ?? assert.fail(name);
  const examples = requestRows(operation).map((row) => [row.name, known[row.name] ?? row.field.example]);
  const values = compose(operation, known, Object.fromEntries(examples));
  const response = await send(url, operation, partsOf(operation, values));
  assert.equal(response.status, 200, name);
  const answer: unknown = await response.json();
  return answer;
}
