import type { ActionsBlock } from '@slack/types';
import { actions, button } from '../block-kit/build.ts';
import { openActions } from './open-actions.ts';

/** The button *Ask the provider* under what became of a message. Its value is the operation’s id. */
export function askProviderButton({ id }: { id: string }): ActionsBlock {
  return actions('ask_provider', button(openActions.askProvider, 'Ask the provider', { value: id }));
}
