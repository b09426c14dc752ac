import type { InputBlock, PlainTextOption } from '@slack/types';
import { z } from 'zod';
import { readIccid, withoutFiller } from '../../../domain/esims/iccid.ts';
import { type Route, readRoute, routeTitles } from '../../../domain/messages/routes.ts';
import type { OtpWay } from '../../../domain/otp/otp-ways.ts';
import type { NamedPhonebook } from '../../../services/contacts/phonebooks.ts';
import type { EsimChoice } from '../../../services/esims/esims.ts';
import { option } from '../build.ts';
import { clampList, limits } from '../limits.ts';
import { searchInput, selectInput } from './fields.ts';

/** The eSIM of a button: by its ICCID, or by its order, whose message has only the ICCID's last digits. */
export const esimRefSchema = z.union([z.object({ iccid: z.string() }), z.object({ order: z.string() })]);
export type EsimRef = z.infer<typeof esimRefSchema>;

/** The options for a query: the eSIMs that match it, and a complete ICCID that is not one of them. */
export function esimOptions(
  esims: readonly EsimChoice[],
  query: string,
): { options: PlainTextOption[]; cut: number } {
  const words = query.trim().toLowerCase();
  const typed = readIccid(query);
  const digits = typed.ok ? typed.iccid : query.replace(/[\s\p{Pd}]/gu, '') || words;
  const found = esims.filter(
    ({ iccid, productId = '', state = '' }) =>
      iccid.includes(digits) || [productId, state].some((text) => text.toLowerCase().includes(words)),
  );
  const itself =
    typed.ok && !found.some(({ iccid }) => withoutFiller(iccid) === typed.iccid)
      ? [option(typed.iccid, typed.iccid, typed.luhn ? 'Use what you typed' : 'The check digit is wrong')]
      : [];
  const room = limits.options - itself.length;
  const offered = found
    .slice(0, room)
    .map(({ iccid, productId, state }) =>
      option(iccid, iccid, [state, productId].filter(Boolean).join(' · ') || undefined),
    );
  return { options: [...itself, ...offered], cut: Math.max(0, found.length - room) };
}

/** `again`: once a form has replaced the choice, because Slack keeps the choice in a field of the same ids. */
export const senderIdActions = { first: 'sender_id', again: 'sender_id_again' } as const;

/** A searched select of the workspace's active sender IDs, which also accepts typed ones. */
export function senderIdInput(
  blockId: string,
  chosen: string | undefined,
  { optional = false, isAgain = false }: { optional?: boolean; isAgain?: boolean } = {},
): InputBlock {
  return searchInput(blockId, 'Sender ID', {
    actionId: senderIdActions[isAgain ? 'again' : 'first'],
    placeholder: 'Search or type',
    chosen: chosen === undefined ? undefined : option(chosen, chosen),
    hint: 'The name recipients see.',
    optional,
  });
}

/** The options for a query: the names that contain it, and the query itself if it is not one of them. */
export function senderIdOptions(names: readonly string[], query: string): PlainTextOption[] {
  const typed = query.trim();
  const found = names.filter((name) => name.toLowerCase().includes(typed.toLowerCase()));
  const offered = found.map((name) => option(name, name));
  const itself =
    typed === '' || typed.length > limits.optionText || names.includes(typed)
      ? []
      : [option(typed, typed, 'Use what you typed')];
  return [...clampList(offered, limits.options - itself.length).shown, ...itself];
}

/** A select of the named phonebooks. There is at least one. */
export function phonebookInput(
  phonebooks: readonly NamedPhonebook[],
  chosen: string,
  dispatchAs?: string,
): InputBlock {
  return selectInput(
    'phonebook',
    'Phonebook',
    phonebooks.map(({ id, name }) => option(name, id)),
    { actionId: dispatchAs, chosen, dispatch: dispatchAs !== undefined },
  );
}

const routeOptions = Object.entries(routeTitles).map(([value, title]) => option(title, value));
const routeMeanings: Readonly<Record<Route, string>> = {
  generic: 'For promotions, not for codes. Numbers on Do-Not-Disturb don’t get it, but you’re still charged.',
  dnd: 'For transactional messages and codes. Any number, any time.',
  chatapp: 'A message in the chat app, from your device.',
  voice: 'A phone call that reads the text aloud.',
};

/** The routes of a message, with the chosen one explained beneath. A change updates the form: its fields follow the route. */
export function routeInput(blockId: string, actionId: string, chosen: string | undefined): InputBlock {
  const route = readRoute(chosen);
  return selectInput(blockId, 'Route', routeOptions, {
    actionId,
    chosen: route,
    hint: route && routeMeanings[route],
    dispatch: true,
  });
}

/** The ways to send a one-time code. */
export const wayOptions: Readonly<Record<OtpWay, PlainTextOption>> = {
  sms: option('SMS', 'sms'),
  voice: option('Voice call', 'voice'),
  email: option('Email', 'email'),
  chat: option('Chat app', 'chat'),
  sms_token: option('SMS (provider’s code)', 'sms_token'),
  in_app: option('In-app token', 'in_app'),
};
