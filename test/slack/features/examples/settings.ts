import fc from 'fast-check';
import { maxGrants } from '../../../../src/domain/access/decision.ts';
import { roles } from '../../../../src/domain/access/roles.ts';
import { toE164 } from '../../../../src/domain/phone/phone-number.ts';
import type { ReachedNow } from '../../../../src/services/limits/reached-limits.ts';
import { mrkdwn } from '../../../../src/slack/block-kit/text.ts';
import { laterMessage, parentMessage } from '../../../../src/slack/features/replies/thread-view.ts';
import { reportsOffView, reportsView } from '../../../../src/slack/features/reports.ts';
import { rolesView } from '../../../../src/slack/features/roles.ts';
import { at, drawn, type Examples, fixed, number } from '../../../support/slack/example-words.ts';

export const connection = { lastFour: '4a26', by: 'U0ADMIN', at };

export const reached: ReachedNow = {
  subject: 'block/x',
  reason: {
    rule: 'country',
    subject: 'messages',
    countries: ['Ghana', 'Kenya', 'Togo', 'Benin'],
    recipients: 9,
  },
  freesAt: at,
  userId: 'U0AGENT',
  refusals: 12,
  at,
};

/** Roles: as many as there can be, of people and groups with any name. */
export const access: Examples = ({ name }) => {
  const id = fc.stringMatching(/^[SU][A-Z0-9]{1,19}$/);
  const to = fc.oneof(
    fc.constant({ kind: 'everyone' as const }),
    fc.record({ kind: fc.constantFrom('person' as const, 'group' as const), id }),
  );
  const grant = fc.record({ to, role: fc.constantFrom(...roles) });
  const grants = fc.array(grant, { minLength: maxGrants, maxLength: maxGrants });
  const groups = fc.oneof(
    fc.constantFrom({ kind: 'no_scope' as const }, { kind: 'unknown' as const }),
    fc.array(fc.record({ id, name, handle: name }), { maxLength: 100 }).map((groups) => ({
      kind: 'listed' as const,
      groups: groups.map((group) => ({ ...group, users: new Set<string>() })),
    })),
  );
  return {
    rolesView: drawn(
      { grants, groups, name, origin: fc.constantFrom('set' as const, 'default' as const) },
      ({ groups, name, ...settings }) =>
        rolesView(
          { ...settings, version: 999_999, changedBy: 'U0ADMIN', changedAt: at },
          groups,
          mrkdwn`${name}`,
        ),
    ),
  };
};

/** Delivery reports, with a long address. */
export const reports: Examples = () => {
  const origin = `https://${'long.'.repeat(40)}example.com`;
  const token = 'x'.repeat(43);
  return {
    reportsView: fc
      .constantFrom(
        { key: 'secret' as const, hasKey: true, token, origin },
        { key: 'secret' as const, hasKey: false, token, origin: undefined },
        { key: 'api_key' as const, hasKey: true, token: undefined, origin },
      )
      .map((settings) => reportsView({ ...settings, lastReceived: at }, mrkdwn`Saved.`)),
    ...fixed({ reportsOffView }),
  };
};

export const replies: Examples = ({ name, typed }) => {
  const thread = {
    workspaceId: 'T1',
    id: 'c6a5c2a5-55f4-4c7c-9d3c-6c1f4c0f7a2e',
    number: toE164(number),
    setBy: 'U0ADMIN',
    state: 'open' as const,
    assignedTo: 'U0ADMIN',
    lastBy: undefined,
    lastAt: at,
    parentId: undefined,
    message: undefined,
    version: 1,
  };
  const inbound = { workspaceId: 'T1', id: 'i', threadId: thread.id, receivedAt: at };
  const answer = fc.constantFrom(undefined, 'stop', 'older_start', 'undated_start', 'unclear');
  const received = fc.record({ receiver: name, text: typed, answer }).map(({ receiver, text, ...said }) => ({
    thread: { ...thread, receiver, sender: { senderId: receiver, route: 'generic' as const } },
    inbound: { ...inbound, text, ...said },
  }));
  return {
    parentMessage: received.map(({ thread, inbound }) => parentMessage(thread, inbound)),
    laterMessage: received.map(({ thread, inbound }) =>
      laterMessage(thread, { ...inbound, text: inbound.text.repeat(50) }),
    ),
  };
};
