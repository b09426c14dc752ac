import type { Button, KnownBlock } from '@slack/types';
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

/** The button *Ask the provider* of a campaign that has messages to ask about. */
export function askAboutCampaignButton({ id }: { id: string }): Button {
  return button(openActions.askAboutCampaign, 'Ask the provider', { value: campaignQuestion(id, undefined) });
}

/** Returns the value of a button that asks about the messages of a campaign after those of an answer. */
export function campaignQuestion(id: string, after: number | undefined): string {
  return `${after ?? ''}:${id}`;
}

/** A position that no button of ours has is the beginning. */
export function readCampaignQuestion(value: string): { id: string; after: number | undefined } {
  const [, after = '', id = ''] = /^(-?\d{0,9}):(.*)$/s.exec(value) ?? [];
  return { id, after: after === '' || after === '-' ? undefined : Number(after) };
}
