import assert from 'node:assert/strict';
import type { HomeView, ModalView } from '@slack/types';
import fc from 'fast-check';
import { phoneNumberSchema } from '../../../src/domain/phone/phone-number.ts';
import type { SlackMessage } from '../../../src/slack/block-kit/message.ts';
import type { Operation } from '../../../src/store/operations/operation.ts';
import { anyText } from '../arbitrary-text.ts';
import { manyNumbers } from './number-files.ts';

export type Screen = HomeView | ModalView | SlackMessage;

/** Examples of screens, by the name of the function that builds each. */
export type Examples = (words: Words) => Record<string, fc.Arbitrary<Screen>>;

/** What people, files and the provider write on a screen. */
export interface Words {
  /** Of any length, also none. */
  any: fc.Arbitrary<string>;
  /** At most the length of a field. */
  typed: fc.Arbitrary<string>;
  /** Not empty, of any length. */
  label: fc.Arbitrary<string>;
  /** Not empty, of the length that the app allows. */
  name: fc.Arbitrary<string>;
}

/** Any text, of which one in fourteen is all `&`, which is written five times as long, and one fills a field with letters. */
export const wildWords = wordsFrom(anyText);

export const plainWords = wordsFrom(fc.constant('Order A7 is at our counter'));

function wordsFrom(any: fc.Arbitrary<string>): Words {
  return {
    any,
    typed: any.map((text) => cut(text, 3_000)),
    label: any.filter((text) => text !== ''),
    name: any.map((text) => cut(text, 75)).filter((text) => text.trim() !== ''),
  };
}

/** At most so much of a text, without half a character at its end. */
export function cut(text: string, length: number): string {
  return text.slice(0, length).toWellFormed();
}

export function drawn<Parts>(
  parts: { [Name in keyof Parts]: fc.Arbitrary<Parts[Name]> },
  screen: (parts: Parts) => Screen,
): fc.Arbitrary<Screen> {
  return fc.record(parts).map((drawn) => screen(drawn as Parts));
}

/** Screens that show always the same. */
export function fixed(screens: Record<string, () => Screen>): Record<string, fc.Arbitrary<Screen>> {
  return Object.fromEntries(Object.entries(screens).map(([name, screen]) => [name, fc.constant(screen())]));
}

export const at = new Date('2026-11-23T09:00:00Z');

/** A million numbers are one. */
export const amount = fc.constantFrom(0, 1, 2, 999, 1_000_000);

export const thousandNumbers = manyNumbers(1_000).map((number) => phoneNumberSchema.parse(number));

export const someNumbers = fc.integer({ min: 1, max: 100 }).map((count) => thousandNumbers.slice(0, count));

export const number = phoneNumberSchema.parse('+2348031234567');

const operationStates: readonly Operation['state'][] = [
  'underway',
  'accepted',
  'rejected',
  'not_sent',
  'unconfirmed',
];

const code = { way: 'voice', to: '+234803•••4567', senderId: 'PalmMarket' };
const order = { plan: '<!channel>', productId: 'x', price: '1 NGN', country: 'NGA', iccid: '89•••1208' };

/** What the history keeps of an operation, by its kind. */
const summaries: Record<string, Operation['summary']> = {
  'sms.send': {
    route: 'dnd',
    senderId: 'PalmMarket',
    recipients: 100,
    to: Array.from({ length: 5 }, () => '+234803•••4567'),
    pagesEach: 3,
    showNumbers: false,
  },
  'sms.confirm_stop': { senderId: 'PalmMarket', to: ['+234803•••4567'] },
  'campaign.test': { campaign: '<!channel>', route: 'generic', to: '+234803•••4567' },
  'sender_id.request': { senderId: 'PalmFresh', company: 'Palm' },
  'esim.create': order,
  'esim.top_up': order,
  'contact.add': { phonebook: '<!channel>', number: '+234803•••4567' },
  'contact.delete': { phonebook: '<!channel>', number: '' },
  'contact.upload': { phonebook: '<!channel>', contacts: 10_000 },
};

/** Operations of a kind in every state, with what the provider says of those that failed. */
export function operationsOf({ any, name }: Words, kind: string): fc.Arbitrary<Operation> {
  const summary = kind.startsWith('otp.') ? { ...code, way: kind.slice(4) } : summaries[kind];
  assert.ok(summary, kind);
  return fc
    .record({
      state: fc.constantFrom(...operationStates),
      said: any,
      id: name,
      balance: name,
      ended: fc.constantFrom(undefined, 'verified', 'used_up', 'expired', 'unknown'),
    })
    .map(({ state, said, id, balance, ended }) => ({
      id: 'operation',
      workspaceId: 'T0',
      key: 'key',
      kind,
      userId: 'U0AGENT',
      summary,
      state,
      providerId: id,
      balance,
      createdAt: at,
      ...(kind.startsWith('otp.') && { expiresAt: at, wrongGuesses: 3 }),
      ...(kind.startsWith('otp.') &&
        ended !== undefined && { codeOutcome: { kind: ended, at: at.getTime(), by: 'U0AGENT' } }),
      ...(state === 'accepted' || state === 'underway'
        ? {}
        : { error: { reason: 'refused', message: said, providerMessage: said } }),
    }));
}
