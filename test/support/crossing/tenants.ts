import { seedSims } from '../../../sandbox/provider/esims/sims.ts';
import { seedPhonebook, seedSenderId } from '../../../sandbox/provider/state/seed.ts';
import { type AccountState, sendChannels } from '../../../sandbox/provider/state/state.ts';
import type { UserGroup } from '../../../sandbox/slack/protocol.ts';
import { fixtureWorkspaces } from '../../../sandbox/slack/workspace/fixtures.ts';

/** A workspace with an account of its own at the provider. Everything of it carries its word, or a number of its range. */
export interface Tenant {
  workspaceId: string;
  /** The installation that serves it. */
  ownerId: string;
  word: string;
  digit: string;
  key: string;
  channel: string;
  /** Ids of people. The first two are in the enterprise's other workspace too, where there is one. */
  admin: string;
  agent: string;
  approver: string;
  colleague: string;
}

export const tenants: readonly Tenant[] = [
  {
    ...{ workspaceId: 'T0SWITCH', ownerId: 'E0SWITCH', word: 'Papaya', digit: '2', channel: 'C0SUPPORT' },
    ...{ admin: 'W0CHIEF', agent: 'W0SISTER', approver: 'U0ADMIN', colleague: 'U0AGENT' },
    key: 'crossing-key-papaya-4f1d90be72c3',
  },
  {
    ...{ workspaceId: 'T0SISTER', ownerId: 'E0SWITCH', word: 'Walrus', digit: '3', channel: 'C0SISDESK' },
    ...{ admin: 'W0CHIEF', agent: 'W0SISTER', approver: 'W0SISADMIN', colleague: 'W0SISAGENT' },
    key: 'crossing-key-walrus-8a62c05d13ef',
  },
  {
    ...{ workspaceId: 'T0HARBOR', ownerId: 'T0HARBOR', word: 'Copper', digit: '4', channel: 'C0HARDISPATCH' },
    ...{ admin: 'U0HARADMIN', agent: 'U0HARAGENT', approver: 'U0HARAPPROVER', colleague: 'U0HARMEMBER' },
    key: 'crossing-key-copper-d7e3418b06fa',
  },
];

/** What the stranger types. */
export const strangers = { word: 'Gargoyle', digit: '9' };

/** Returns a number of a range, of Glo, without a fault: the range is in its middle, and in what a mask leaves of it. */
export function numberOf({ digit }: Pick<Tenant, 'digit'>, index: number): string {
  return `+234805${digit}00${digit}${String(index).padStart(2, '0')}0`;
}

export function senderIdOf({ word }: Pick<Tenant, 'word'>): string {
  return `${word}Shop`;
}

/** Returns the email configuration of a tenant's account. */
export function mailOf({ word }: Pick<Tenant, 'word'>): string {
  return `${word.toLowerCase()}-mail-7c41`;
}

/** Returns the email address of a customer. What a mask leaves of it is the tenant's. */
export function addressOf({ word }: Pick<Tenant, 'word'>): string {
  return `customer@${word.toLowerCase()}.example.com`;
}

export function phonebookOf({ word, digit }: Pick<Tenant, 'word' | 'digit'>): { id: string; name: string } {
  return { id: `${digit.repeat(12)}9d2b5a8813e4`, name: `${word} regulars` };
}

/** Returns the user groups of a workspace. */
export function groupsOf({ workspaceId }: Pick<Tenant, 'workspaceId'>): UserGroup[] {
  return fixtureWorkspaces().flatMap(({ team, userGroups }) => (team.id === workspaceId ? userGroups : []));
}

/** Returns the account of a tenant, with every operation. The first digit of its balance is the tenant's. */
export function accountOf(tenant: Tenant, now: Date): AccountState {
  const { key, word, digit } = tenant;
  return {
    key,
    name: `${word} Ltd`,
    applicationId: 90_000 + Number(digit),
    balanceInKobo: Number(digit) * 100_000_000 + 50_000_000,
    channels: [...sendChannels],
    insight: true,
    emailConfigurations: [mailOf(tenant)],
    senderIds: [
      seedSenderId(senderIdOf(tenant), 'active', now, 40),
      seedSenderId(`${word}Old`, 'blocked', now, 90),
    ],
    phonebooks: [
      seedPhonebook({
        ...phonebookOf(tenant),
        firstNumber: Number(`805${digit}00${digit}000`),
        size: 4,
        now,
      }),
    ],
    sims: seedSims(Number(`${digit}0${digit}0`), now),
  };
}
