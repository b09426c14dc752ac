import type { KnownBlock } from '@slack/types';
import type { PublicContacts } from '../../config/settings.ts';
import { context } from './build.ts';
import { joinInline, link } from './text.ts';

/** *Support · Privacy*: the pages that the people who run the app have named; nothing where they have named none. */
export function contactsLine({ supportUrl, privacyUrl }: PublicContacts): KnownBlock[] {
  const links = [
    ...(supportUrl === undefined ? [] : [link(supportUrl, 'Support')]),
    ...(privacyUrl === undefined ? [] : [link(privacyUrl, 'Privacy')]),
  ];
  return links.length === 0 ? [] : [context(joinInline(links))];
}
