import type { InputBlock, PlainTextOption } from '@slack/types';
import { z } from 'zod';
import { readIccid } from '../../../domain/esims/iccid.ts';
import type { EsimChoice } from '../../../services/esims/esims.ts';
import { option } from '../build.ts';
import { limits } from '../limits.ts';
import { searchInput } from './fields.ts';

export const esimAction = 'esim';

/** The eSIM of a button: by its ICCID, or by its order, whose message has only the ICCID's last digits. */
export const esimRefSchema = z.union([z.object({ iccid: z.string() }), z.object({ order: z.string() })]);
export type EsimRef = z.infer<typeof esimRefSchema>;

/** A searched select of the eSIMs that were created, which also accepts what is typed or pasted. */
export function esimInput(
  blockId: string,
  options: {
    optional?: boolean | undefined;
    label?: string | undefined;
    dispatch?: boolean | undefined;
  } = {},
): InputBlock {
  return searchInput(blockId, options.label ?? 'eSIM', {
    actionId: esimAction,
    placeholder: 'Search by digits, plan or state',
    optional: options.optional,
    dispatch: options.dispatch,
  });
}

/** The options for a query: the eSIMs that match it, and a complete ICCID that is not one of them. */
export function esimOptions(
  esims: readonly EsimChoice[],
  query: string,
): { options: PlainTextOption[]; cut: number } {
  const words = query.trim().toLowerCase();
  const digits = query.replace(/[\s\p{Pd}]/gu, '') || words;
  const found = esims.filter(
    ({ iccid, productId = '', state = '' }) =>
      iccid.includes(digits) || [productId, state].some((text) => text.toLowerCase().includes(words)),
  );
  const typed = readIccid(query);
  const itself =
    typed.ok && !esims.some(({ iccid }) => iccid === typed.iccid)
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
