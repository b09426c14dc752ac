import assert from 'node:assert/strict';
import fc from 'fast-check';
import { permissionsOf, roles } from '../../../../src/domain/access/roles.ts';
import { providerError } from '../../../../src/provider/response/error-messages.ts';
import { auditActions } from '../../../../src/services/audit/audit-service.ts';
import { notice } from '../../../../src/slack/block-kit/build.ts';
import { entryBlock } from '../../../../src/slack/features/audit/entry-view.ts';
import { costsView } from '../../../../src/slack/features/costs/months.ts';
import { answerView, campaignAnswerView } from '../../../../src/slack/features/history/ask-provider.ts';
import { entryView } from '../../../../src/slack/features/history/entry-view.ts';
import { conversationRows } from '../../../../src/slack/features/history/history-list.ts';
import { homeView } from '../../../../src/slack/features/home/home.ts';
import { outcomeRenderers } from '../../../../src/slack/features/register-features.ts';
import {
  at,
  cut,
  drawn,
  type Examples,
  operationsOf,
  type Words,
} from '../../../support/slack/example-words.ts';
import { noCounts, someCampaign } from './campaigns.ts';
import { connection, reached } from './settings.ts';

export const home: Examples = (words) => ({
  homeView: drawn({ name: words.name, entries: entriesOf(words), isAdmin: fc.boolean() }, (given) => {
    const { name, entries, isAdmin } = given;
    const incoming = { reports: 'none_received' as const, repliesIn: undefined };
    const admin = {
      setupLeft: { senderId: undefined, hasPrice: false, incoming },
      keyRejected: true,
      encryptionKeys: { name: 'reencrypting', left: 1_000_000 } as const,
      reached: [reached, reached, reached],
      budgets: [{ window: 'month' as const, limit: 1_000, used: 900, ends: at }],
      repliesToPost: { unposted: 1_000_000, lacksChannel: true },
      withheld: [],
    };
    const unconfirmed = entries.map(({ operation: { id } }) => ({ kind: 'operation' as const, id }));
    const failed = [{ reason: name, recipients: 1_000_000 }];
    const deliveries = { delivered: 0, onTheWay: 0, failed, other: [], waiting: 0 };
    const campaign = { ...someCampaign, name, state: 'done' as const, deliveries };
    const campaigns = [campaign, campaign, campaign];
    const notDelivered = { operations: 1_000_000, campaigns, otherCampaigns: 1_000_000 };
    const content = {
      remarks: [],
      connection,
      balance: { amount: name, at },
      monthCosts: { amounts: [name, name], messages: 1_000_000 },
      attention: { paused: [], missed: [], asked: [], toDecide: [], drafts: 30, unconfirmed, notDelivered },
      activity: entries,
      hasLiveCodes: true,
      commandPrefix: '',
      contacts: { supportUrl: new URL('https://acme.example/support') },
    };
    const user = { roles: new Set(roles), permissions: permissionsOf(roles) };
    return homeView(user, { ...content, admin: isAdmin ? admin : undefined }, outcomeRenderers);
  }),
});

export const history: Examples = (words) => {
  const { any, name, typed } = words;
  const record = fc.record(
    { messageId: any, status: any, receiver: any, createdAt: fc.constant(at), amount: any, cost: any },
    { requiredKeys: ['messageId', 'status'] },
  );
  const failed = { operation: 'messages.history', reason: 'server_error' } as const;
  const answered = {
    asked: 500,
    unreadable: 2,
    error: undefined,
    next: undefined,
  };
  const answers = [
    { ...answered, known: 499, next: 500 },
    { ...answered, known: 500, error: providerError('unconfirmed', failed) },
    { ...answered, asked: 0, known: 0 },
  ];
  return {
    conversationRows: drawn({ said: typed, name, entries: entriesOf(words) }, ({ said, name, entries }) => {
      const reply = { kind: 'reply' as const, at, text: said, answer: 'undated_start' as const };
      const colleagues = { ...campaignEntry(name, said), isColleagues: true, content: undefined };
      const conversation = [
        ...entries,
        ...Array.from({ length: 10 }, () => campaignEntry(name, said)),
        reply,
        colleagues,
      ];
      const options = { outcomeRenderers, withActor: true, maxTextLength: 400 };
      return notice('History', ...conversationRows(conversation, options));
    }),
    entryView: drawn(
      { entries: entriesOf(words, 1), text: name },
      ({ entries: [entry = assert.fail()], text }) => {
        const estimate = { total: text, perPage: '1', pages: 9, unknownPages: 3 };
        const charges = { estimate, total: text, messages: 4, free: 2, perPage: '2' };
        return entryView({ ...entry, content: { text, to: [] } }, outcomeRenderers, {
          canAsk: true,
          viewer: {
            workspaceId: 'T1',
            userId: 'U0AGENT',
            permissions: permissionsOf(roles),
            zone: 'Africa/Lagos',
          },
          charges,
        });
      },
    ),
    answerView: fc.oneof(
      fc
        .array(record, { maxLength: 30 })
        .map((records) => answerView({ kind: 'answered', isOwn: false, records, unreadable: 2 }, at)),
      fc
        .constantFrom(1, 30)
        .map((messages) => answerView({ kind: 'asked_about_reports', messages, unreadable: messages }, at)),
      fc.constant(answerView({ kind: 'no_message' }, at)),
    ),
    campaignAnswerView: fc
      .constantFrom(...answers)
      .map((answer) => campaignAnswerView('U1.sale', answer, at)),
  };
};

function entriesOf(words: Words, minLength = 0) {
  const operations = fc.array(operationsOf(words, 'sms.send'), { minLength, maxLength: 20 });
  return operations.map((all) =>
    all.map((operation) => ({
      kind: 'operation' as const,
      at: operation.createdAt,
      operation,
      recipients: 1,
    })),
  );
}

/** A campaign in the history of a number, with the error of its chunk. */
function campaignEntry(name: string, said: string) {
  const ended = { recipients: 1_000_000, accepted: 300_000, rejected: 300_000, unconfirmed: 300_000 };
  const campaign = { ...someCampaign, name, state: 'done' as const, counts: { ...noCounts, ...ended } };
  const error = { reason: 'refused', message: said };
  const chunk = { id: 'campaign', chunk: 9_999, state: 'rejected' as const, error };
  return { kind: 'campaign' as const, at, campaign, chunk, content: { text: said }, recipients: 1 };
}

export const audit: Examples = ({ any, name }) => {
  const entry = fc.record({
    workspaceId: fc.constant('T0'),
    sequence: fc.nat(),
    at: fc.constant(at),
    userId: fc.constantFrom('U0AGENT', undefined),
    action: fc.constantFrom(...auditActions),
    subject: fc.option(name, { nil: undefined }),
    outcome: fc.constantFrom('accepted', 'rejected', 'done', 'unconfirmed'),
    surface: fc.constantFrom('command', 'modal', 'home', 'message'),
    channelId: fc.constantFrom('C0SUPPORT', undefined),
    details: fc.option(
      any.map((text) => JSON.stringify({ text })),
      { nil: undefined },
    ),
    mac: fc.constant('m'),
  });
  return {
    auditEntries: fc.array(entry, { maxLength: 20 }).map((all) => {
      // The subject of a limit is a rule.
      const entries = all.map((each) =>
        each.action.startsWith('limits.') ? { ...each, subject: 'country' } : each,
      );
      return notice('Audit log', ...entries.map((each) => entryBlock(each, () => 'support')));
    }),
  };
};

export const costs: Examples = ({ name }) => {
  const sum = { amounts: ['999999999999999.999999 NGN', '999999999999999.999999 USD'], messages: 1e12 };
  const byUser = Array.from({ length: 300 }, (_, index) => ({ ...sum, userId: `U${index}` }));
  const months = Array.from({ length: 150 }, (_, index) =>
    new Date(Date.UTC(2026, index)).toISOString().slice(0, 7),
  );
  return {
    costsView: drawn({ sender: name, isEveryones: fc.boolean() }, ({ sender, isEveryones }) => {
      const bySender = byUser.map((each) => ({ ...each, senderId: cut(sender, 11) }));
      const shown = { month: '2026-01', total: sum, byUser, bySender };
      return costsView({ shown, months: isEveryones ? months : [], isEveryones });
    }),
  };
};
