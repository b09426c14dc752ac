import type { KnownBlock, ModalView } from '@slack/types';
import { notice, section } from './build.ts';
import { stateIcons } from './state-icons.ts';
import { mrkdwn } from './text.ts';

/** The content of a modal while something slow is awaited. */
export function loadingView(title: string, text: string, ...blocks: KnownBlock[]): ModalView {
  return notice(title, loadingSection(text), ...blocks);
}

/**
 * The content of a modal while something is performed whose outcome comes as a message. The instance that took the click may
 * be killed before it writes that down: then nobody is left who could tell.
 *
 * @param done what did not happen to what is not in the history: *sent*
 */
export function performingView(title: string, doing: string, done: string): ModalView {
  return loadingView(
    title,
    `${doing} You can close this: the outcome also comes as a message. If none comes, see the history: what isn’t in it wasn’t ${done}.`,
  );
}

export function loadingSection(text: string): KnownBlock {
  return section(mrkdwn`${stateIcons.underway} ${text}`);
}
