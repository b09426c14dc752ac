import type { SectionBlock } from '@slack/types';
import { z } from 'zod';
import { leastRoleWith, permissions, roles } from '../../../domain/access/roles.ts';
import type { LimitReason } from '../../../domain/limits/reached-limit.ts';
import type { AuditAction, AuditSubject } from '../../../services/audit/audit-service.ts';
import type { AuditEntry } from '../../../store/audit/audit-trail.ts';
import { present, section } from '../../block-kit/build.ts';
import { roleNames } from '../../block-kit/descriptions/workspace.ts';
import { clampText } from '../../block-kit/limits.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { joinInline, joinWords, type Markup, mrkdwn, timeFor, userMention } from '../../block-kit/text.ts';

/** The kinds of entries, to filter by. */
export const subjectWords: Readonly<Record<AuditSubject, string>> = {
  sms: 'Messages',
  otp: 'One-time codes',
  campaign: 'Campaigns',
  esim: 'eSIMs',
  contact: 'Contacts',
  sender_id: 'Sender IDs',
  lookup: 'Lookups',
  reply: 'Replies',
  suppression: 'Do-not-contact list',
  phonebook: 'Phonebooks',
  approval: 'Approvals',
  limits: 'Limits',
  person: 'Personal data',
  connection: 'Connection',
  role: 'Roles',
  installation: 'Installation',
  settings: 'Settings',
  template: 'Templates',
  watch: 'Alerts',
  keys: 'Encryption keys',
  history: 'History',
  access: 'Not allowed',
  audit: 'Audit',
};

const actionWords: Readonly<Record<string, string>> = {
  'sms.send': 'Message',
  'sms.confirm_stop': 'Opt-out confirmation',
  'sms.mark': 'Unconfirmed message marked',
  'campaign.test': 'Campaign test',
  'otp.sms': 'Code by SMS',
  'otp.voice': 'Code by voice call',
  'otp.email': 'Code by email',
  'otp.chat': 'Code by chat app',
  'otp.sms_token': 'Code by SMS (provider’s code)',
  'otp.in_app': 'In-app token',
  'otp.verify': 'Code verified',
  'sender_id.request': 'Sender ID requested',
  'contact.add': 'Contact added',
  'contact.upload': 'Contacts uploaded',
  'contact.delete': 'Contact deleted',
  'esim.create': 'eSIM created',
  'esim.top_up': 'eSIM topped up',
  'esim.share': 'eSIM’s QR image shared',
  'campaign.import': 'Campaign prepared',
  'campaign.discard': 'Campaign draft discarded',
  'campaign.edit': 'Campaign draft edited',
  'campaign.start': 'Campaign started',
  'campaign.schedule': 'Campaign scheduled',
  'campaign.repeat': 'Campaign set to repeat',
  'campaign.skip': 'Campaign run skipped',
  'campaign.unschedule': 'Campaign returned to draft',
  'campaign.pause': 'Campaign paused',
  'campaign.resume': 'Campaign resumed',
  'campaign.leave_out': 'Campaign countries skipped',
  'campaign.change_sender': 'Campaign sender changed',
  'campaign.cancel': 'Campaign cancelled',
  'campaign.miss': 'Campaign missed its start',
  'campaign.end': 'Campaign ended',
  'campaign.resolve': 'Unconfirmed recipients confirmed as sent',
  'campaign.export': 'Campaign recipients exported',
  'watch.mute': 'Alert muted',
  'watch.unmute': 'Alert unmuted',
  'role.add': 'Role given',
  'role.remove': 'Role removed',
  'reply.assign': 'Reply thread assigned',
  'reply.finish': 'Reply thread done',
  'suppression.add': 'Added to the do-not-contact list',
  'suppression.remove': 'Removed from the do-not-contact list',
  'suppression.import': 'File imported to the do-not-contact list',
  'suppression.export': 'Do-not-contact list exported',
  'phonebook.add': 'Phonebook added',
  'phonebook.remove': 'Phonebook removed',
  'approval.request': 'Approval requested',
  'approval.approve': 'Approved',
  'approval.reject': 'Approval rejected',
  'approval.withdraw': 'Approval request withdrawn',
  'approval.expire': 'Approval request expired',
  'approval.void': 'Approval request no longer valid',
  'limits.change': 'Limits changed',
  'limits.lift': 'Limit lifted',
  'person.erase': 'Person’s data erased',
  'person.export': 'Person’s data exported',
  'connection.connect': 'Provider connected',
  'connection.replace': 'Provider key replaced',
  'connection.disconnect': 'Provider disconnected',
  'settings.change': 'Settings changed',
  'template.create': 'Template created',
  'template.change': 'Template changed',
  'template.delete': 'Template deleted',
  'keys.rotate': 'Encryption key changed',
  'installation.install': 'App installed',
  'installation.reinstall': 'App reinstalled',
  'installation.uninstall': 'App removed',
  'installation.revoke': 'Token revoked',
  'lookup.number': 'Number looked up',
  'lookup.dnd': 'Do-Not-Disturb checked',
  'history.export': 'History exported',
  'audit.export': 'Audit log exported',
  'audit.tampered': 'The end of the audit log was tampered with',
  'access.refuse': 'Tried something they’re not allowed to do',
} satisfies Record<AuditAction, string>;

/** What may end otherwise than it was meant to: *Contact added · rejected* would contradict itself. */
const attemptWords: Readonly<Record<string, string>> = {
  'otp.verify': 'Last attempt to verify a code',
  'sender_id.request': 'Requesting a sender ID',
  'contact.add': 'Adding a contact',
  'contact.upload': 'Uploading contacts',
  'contact.delete': 'Deleting a contact',
  'esim.create': 'Creating an eSIM',
  'esim.top_up': 'Topping up an eSIM',
  'role.add': 'Giving a role',
  'role.remove': 'Removing a role',
  'connection.connect': 'Connecting the provider',
  'connection.replace': 'Replacing the provider key',
} satisfies Partial<Record<AuditAction, string>>;

const outcomeWords: Readonly<Record<string, string>> = {
  done: 'done',
  refused: 'not allowed',
  failed: 'failed',
  accepted: 'done',
  rejected: 'rejected',
  not_sent: 'not sent',
  unconfirmed: 'unconfirmed',
};

/** What was accepted of these was sent to somebody. An in-app token is only shown. */
const sentActions = /^(?:sms|campaign|otp)\.(?!in_app$)/;

const surfaceWords: Readonly<Record<string, string>> = {
  command: 'with a command',
  modal: 'in a form',
  button: 'with a button in a message',
  shortcut: 'with a shortcut',
  home: 'on Home',
  options: 'in a form',
  slackbot: 'by Slackbot',
  slack: 'by Slack',
  install: 'while installing',
  link: 'with an opt-out link',
  reply: 'by a reply',
  background: 'in the background',
  terminal: 'in the terminal',
};

const ruleWords: Readonly<Record<string, string>> = {
  rate: 'rate limit',
  country: 'countries',
  budget: 'page budget',
  recipient: 'codes to one recipient',
  again: 'another code to the same recipient',
} satisfies Record<LimitReason['rule'], string>;

/** In characters. */
const maxLength = 150;

/** What the details of an entry may say of it. */
const detailsSchema = z
  .object({
    name: z.string(),
    isMessage: z.boolean(),
    campaign: z.string(),
    rows: z.number(),
    numbers: z.number(),
    of: z.enum(['campaign', 'esim']),
    requestedBy: z.string(),
  })
  .partial();
type Details = z.infer<typeof detailsSchema>;

const permissionSchema = z.enum(permissions);

/** Returns the handle of a user group, where Slack told it. */
type GroupHandle = (groupId: string) => string | undefined;

const outcomeIcons: Readonly<Record<string, Markup>> = {
  done: stateIcons.done,
  accepted: stateIcons.done,
  refused: stateIcons.blocked,
  unconfirmed: stateIcons.unconfirmed,
};

/** An entry as people read it: the action, its subject, time, person, outcome and origin. */
export function entryBlock(entry: AuditEntry, handleOf: GroupHandle): SectionBlock {
  const { at, userId, action, outcome, surface } = entry;
  const about = aboutOf(entry, handleOf);
  const attempt = outcome === 'done' || outcome === 'accepted' ? undefined : attemptWords[action];
  const words = attempt ?? actionWords[action] ?? 'Another action';
  const { isMessage = false } = readDetails(entry.details);
  const title = mrkdwn`*${isMessage ? words.replace('Campaign', 'Message').replace('a campaign', 'a message') : words}*`;
  const what = about === undefined ? title : mrkdwn`${title}: ${about}`;
  const below = present(
    Number.isNaN(at.getTime()) ? mrkdwn`unknown time` : timeFor(at),
    userId !== undefined && userMention(userId),
    mrkdwn`${outcome === 'accepted' && sentActions.test(action) ? 'sent' : (outcomeWords[outcome] ?? 'unknown')}`,
    mrkdwn`${surfaceWords[surface] ?? 'from elsewhere'}`,
  );
  return section(
    mrkdwn`${[mrkdwn`${outcomeIcons[outcome] ?? stateIcons.failed} ${what}`, joinInline(below)]}`,
  );
}

/** Returns what an entry is about, as people know it, to follow a colon. No id that only the program knows. */
function aboutOf(entry: AuditEntry, handleOf: GroupHandle): Markup | undefined {
  const { action, subject } = entry;
  const details = readDetails(entry.details);
  switch (action.split('.')[0]) {
    case 'access': {
      const needed = permissionSchema.safeParse(subject);
      return needed.success ? mrkdwn`needs the role *${roleNames[leastRoleWith(needed.data)]}*` : undefined;
    }
    case 'approval': {
      const { name, of, requestedBy } = details;
      const what = name === undefined ? kinds[of ?? 'request'] : clampText(name, maxLength);
      // Name who asked, if another person acted on the request.
      return requestedBy === undefined || requestedBy === entry.userId
        ? mrkdwn`${what}`
        : mrkdwn`${what}, requested by ${userMention(requestedBy)}`;
    }
    case 'role':
      return grantsOf(entry, handleOf);
    case 'limits':
      return subject === undefined ? undefined : mrkdwn`${ruleWords[subject] ?? 'another limit'}`;
    case 'installation':
    case 'person':
      return undefined;
  }
  const { name, campaign, rows, numbers } = details;
  const count = rows ?? (subject === undefined ? numbers : undefined);
  const about = name ?? campaign ?? (count === undefined ? subject : count.toLocaleString('en'));
  const isCampaignId = /^[UW][A-Z0-9]+\./.test(about ?? '');
  return about === undefined || isCampaignId ? undefined : mrkdwn`${clampText(about, maxLength)}`;
}

const kinds = { campaign: 'a campaign', esim: 'an eSIM', request: 'a request' } as const;

/** Reads what `describeGrant` of the roles wrote: `viewer to person U1, viewer to everyone`. */
function grantsOf({ action, subject = '' }: AuditEntry, handleOf: GroupHandle): Markup | undefined {
  const grants = [...subject.matchAll(/(?<role>\w+) to (?:(?<kind>person|group) (?<id>\w+)|everyone)/g)];
  const role = roles.find((each) => each === grants[0]?.groups?.role);
  const names = grants.map(({ groups = {} }) => {
    const { kind, id = '' } = groups;
    if (kind === undefined) {
      return mrkdwn`everyone`;
    }
    if (kind === 'person') {
      return userMention(id);
    }
    const handle = handleOf(id);
    return handle === undefined ? mrkdwn`a user group` : mrkdwn`@${handle}`;
  });
  const preposition = action === 'role.remove' ? 'from' : 'to';
  return role === undefined ? undefined : mrkdwn`${roleNames[role]} ${preposition} ${joinWords(names)}`;
}

function readDetails(details: string | undefined): Details {
  try {
    return detailsSchema.parse(JSON.parse(details ?? '{}'));
  } catch {
    return {};
  }
}
