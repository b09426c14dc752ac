import type { KnownBlock } from '@slack/types';
import { actions, button } from '../block-kit/build.ts';
import { openActions } from './open-actions.ts';

/** Adds the button *Ask the provider* below blocks: beside the buttons that they end with, or alone. Its value is the operation’s id. */
export function withAskProviderButton(blocks: readonly KnownBlock[], { id }: { id: string }): KnownBlock[] {
  const ask = button(openActions.askProvider, 'Ask the provider', { value: id });
  const last = blocks.at(-1);
  return last?.type === 'actions'
    ? [...blocks.slice(0, -1), { ...last, elements: [...last.elements, ask] }]
    : [...blocks, actions('ask_provider', ask)];
}
