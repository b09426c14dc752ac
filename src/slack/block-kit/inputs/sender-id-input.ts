import type { InputBlock, PlainTextOption } from '@slack/types';
import { option } from '../build.ts';
import { clampList, limits } from '../limits.ts';
import { searchInput } from './fields.ts';

export const senderIdAction = 'sender_id';

/** A searched select of the workspace's active sender IDs, which also accepts what is typed. */
export function senderIdInput(blockId: string, chosen: string | undefined, optional = false): InputBlock {
  return searchInput(blockId, 'Sender ID', {
    actionId: senderIdAction,
    placeholder: 'Search or type',
    chosen: chosen === undefined ? undefined : option(chosen, chosen),
    hint: 'Shown as the sender.',
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
  return [...clampList(offered, limits.options - itself.length).kept, ...itself];
}
