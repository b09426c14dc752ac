import { z } from 'zod';
import { leastRoleWith, permissions } from '../../../domain/access/roles.ts';
import type { AuditEntry } from '../../../store/audit/audit-queries.ts';
import { clampText } from '../../block-kit/limits.ts';
import { joinWords, type Markup, mrkdwn, userMention } from '../../block-kit/text.ts';
import { wordsOfRule } from './words.ts';

/** In characters. */
const maxLength = 150;

/** What the details of an entry may say of it. */
const detailsSchema = z
  .object({
    name: z.string(),
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
export type GroupHandle = (groupId: string) => string | undefined;

/** Returns what an entry is about, as people know it, to follow a colon. No id that only the program knows. */
export function aboutOf(entry: AuditEntry, handleOf: GroupHandle): Markup | undefined {
  const { action, subject } = entry;
  const details = readDetails(entry.details);
  switch (action.split('.')[0]) {
    case 'access': {
      const needed = permissionSchema.safeParse(subject);
      return needed.success ? mrkdwn`needs the role *${leastRoleWith(needed.data)}*` : undefined;
    }
    case 'approval':
      return requestOf(entry, details);
    case 'role':
      return grantsOf(entry, handleOf);
    case 'limits':
      return subject === undefined ? undefined : mrkdwn`${wordsOfRule(subject)}`;
    case 'installation':
    case 'person':
      return undefined;
  }
  const { name, campaign, rows, numbers } = details;
  const count = rows ?? (subject === undefined ? numbers : undefined);
  const about = name ?? campaign ?? (count === undefined ? subject : count.toLocaleString('en'));
  return about === undefined || isCampaignId(about) ? undefined : mrkdwn`${clampText(about, maxLength)}`;
}

/** `Saturday, asked for by @ada`: the latter where another person did something with it. */
function requestOf({ userId }: AuditEntry, { name, of, requestedBy }: Details): Markup | undefined {
  const what = name === undefined ? kinds[of ?? 'request'] : clampText(name, maxLength);
  return requestedBy === undefined || requestedBy === userId
    ? mrkdwn`${what}`
    : mrkdwn`${what}, asked for by ${userMention(requestedBy)}`;
}

const kinds = { campaign: 'a campaign', esim: 'an eSIM', request: 'a request' } as const;

/** Reads what `describeGrant` of the roles wrote: `viewer to person U1, viewer to everyone`. */
function grantsOf({ action, subject = '' }: AuditEntry, handleOf: GroupHandle): Markup | undefined {
  const grants = [...subject.matchAll(/(?<role>\w+) to (?:(?<kind>person|group) (?<id>\w+)|everyone)/g)];
  const role = grants[0]?.groups?.role;
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
  return role === undefined ? undefined : mrkdwn`${role} ${preposition} ${joinWords(names)}`;
}

function isCampaignId(subject: string): boolean {
  return /^[UW][A-Z0-9]+\./.test(subject);
}

function readDetails(details: string | undefined): Details {
  try {
    return detailsSchema.parse(JSON.parse(details ?? '{}'));
  } catch {
    return {};
  }
}
