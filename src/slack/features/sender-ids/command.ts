import type { Permission } from '../../../domain/access/roles.ts';
import type { SenderIdFilter } from '../../../services/sender-ids/sender-id-service.ts';
import { section } from '../../block-kit/build.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { mrkdwn } from '../../block-kit/text.ts';

const statuses = new Set(['active', 'pending', 'declined', 'blocked']);

export type SenderIdCommand = { kind: 'request' } | { kind: 'list'; filter: SenderIdFilter };

/** `/sender-id` · `/sender-id palm active` (either, in any order) · `/sender-id request` */
export function readSenderIdCommand(text: string): SenderIdCommand {
  const words = text
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 1 && words[0]?.toLowerCase() === 'request') {
    return { kind: 'request' };
  }
  const status = words.find((word) => statuses.has(word.toLowerCase()));
  const name = words.find((word) => word !== status);
  return {
    kind: 'list',
    filter: {
      page: 0,
      name,
      status: status?.toLowerCase(),
    },
  };
}

/** Whether a text is the name to look for, a status, or both. A sender ID has no spaces. */
export function isSenderIdSearch(text: string): boolean {
  const words = text.trim().split(/\s+/);
  return words.filter((word) => !statuses.has(word.toLowerCase())).length <= 1 && words.length <= 2;
}

export function senderIdRule(text: string): Permission {
  return readSenderIdCommand(text).kind === 'request' ? 'campaign' : 'look_up';
}

export function senderIdHelp(prefix: string): SlackMessage {
  const name = `/${prefix}sender-id`;
  return message(mrkdwn`How to see and request sender IDs with ${name}`, [
    section(mrkdwn`*See your sender IDs* with their status, and *request* new ones.`),
    section(
      mrkdwn`${[
        mrkdwn`\`${name}\` lists your sender IDs. \`${name} palm active\` lists the active ones with *palm* in the name.`,
        mrkdwn`\`${name} request\` asks the provider for a new sender ID.`,
      ]}`,
    ),
  ]);
}
