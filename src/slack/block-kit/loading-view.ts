import type { KnownBlock, ModalView } from '@slack/types';
import { notice, section } from './build.ts';
import { stateIcons } from './state-icons.ts';
import { mrkdwn } from './text.ts';

/** The content of a modal while something slow is awaited. */
export function loadingView(title: string, text: string, ...blocks: KnownBlock[]): ModalView {
  return notice(title, loadingSection(text), ...blocks);
}

export function loadingSection(text: string): KnownBlock {
  return section(mrkdwn`${stateIcons.underway} ${text}`);
}
