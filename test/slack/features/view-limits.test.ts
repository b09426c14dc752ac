import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { HomeView, ModalView } from '@slack/types';
import fc from 'fast-check';
import { checkMessage } from '../../../sandbox/slack/block-kit/surfaces.ts';
import { maxGrants } from '../../../src/domain/access/grants.ts';
import { permissionsOf, roles } from '../../../src/domain/access/roles.ts';
import { checkDelivery } from '../../../src/domain/deliveries/delivery-check.ts';
import { filteredWords } from '../../../src/domain/deliveries/delivery-rules.ts';
import { routeSchema } from '../../../src/domain/messages/routes.ts';
import { otpWaySchema } from '../../../src/domain/otp/otp-ways.ts';
import { countries } from '../../../src/domain/phone/countries.ts';
import { phoneNumberSchema } from '../../../src/domain/phone/phone-number.ts';
import type { CostEstimate } from '../../../src/services/costs/estimate.ts';
import type { ReachedNow } from '../../../src/services/limits/reached-report.ts';
import { missingScopes } from '../../../src/slack/app/installations/missing-scopes.ts';
import type { SlackMessage } from '../../../src/slack/block-kit/message.ts';
import { firstCursor, nextCursor } from '../../../src/slack/block-kit/paging/cursor-position.ts';
import { mrkdwn } from '../../../src/slack/block-kit/text.ts';
import { costsView } from '../../../src/slack/features/costs/months-view.ts';
import {
  eraseConfirmView,
  erasedView,
  eraseFormView,
  erasingView,
  unfinishedView,
} from '../../../src/slack/features/erasure/views.ts';
import { entryView } from '../../../src/slack/features/history/entry-view.ts';
import { firstPageOf, type HistoryQuery, pageAfter } from '../../../src/slack/features/history/query.ts';
import { historyMessage } from '../../../src/slack/features/history/table-message.ts';
import { historyView } from '../../../src/slack/features/history/views.ts';
import { homeView } from '../../../src/slack/features/home/views.ts';
import { limitsView } from '../../../src/slack/features/limits/views.ts';
import { composeView } from '../../../src/slack/features/messages/compose-view.ts';
import { messageOutcomeView, outcomeMessage } from '../../../src/slack/features/messages/outcome-view.ts';
import {
  faultsMessage,
  previewMessage,
  reviewView,
} from '../../../src/slack/features/messages/review-view.ts';
import { codeView } from '../../../src/slack/features/otp/compose-view.ts';
import { codeOutcomeView } from '../../../src/slack/features/otp/outcome-view.ts';
import { outcomeRenderers } from '../../../src/slack/features/register-features.ts';
import { replyView } from '../../../src/slack/features/replies/form-view.ts';
import { repliesOffView, replySettingsView } from '../../../src/slack/features/replies/settings-view.ts';
import { headMessage, laterMessage } from '../../../src/slack/features/replies/thread-view.ts';
import { reportsOffView, reportsView, secretView } from '../../../src/slack/features/reports/views.ts';
import { addRoleView, rolesView } from '../../../src/slack/features/roles/views.ts';
import { senderIdListView } from '../../../src/slack/features/sender-ids/list-view.ts';
import { requestOutcomeView } from '../../../src/slack/features/sender-ids/outcome-view.ts';
import { requestView } from '../../../src/slack/features/sender-ids/request-view.ts';
import { codeDefaultsView } from '../../../src/slack/features/settings/code-defaults-view.ts';
import { settingsView } from '../../../src/slack/features/settings/views.ts';
import { importedBanner } from '../../../src/slack/features/suppression-list/form-views.ts';
import { suppressionListView } from '../../../src/slack/features/suppression-list/list-view.ts';
import { noCounts } from '../../../src/store/erasure/erased-person.ts';
import type { Operation } from '../../../src/store/operations/ledger.ts';
import { anyText } from '../../support/arbitrary-text.ts';
import { assertSlackAccepts } from '../../support/slack/assert-slack-accepts.ts';

/** One text in fourteen is all `&`, which is written five times as long, and one fills a field with letters: 40 runs meet both. */
const runs = { numRuns: 40 };

/** Text up to the maximum length of an input. */
const typed = anyText.map((text) => text.slice(0, 3000).toWellFormed());
const someText = typed.filter((text) => text.trim() !== '');
/** A name, whose length the app limits. */
const name = anyText.map((text) => text.slice(0, 75).toWellFormed()).filter((text) => text.trim() !== '');
const numbers = fc
  .integer({ min: 1, max: 100 })
  .map((count) =>
    Array.from({ length: count }, (_, index) =>
      phoneNumberSchema.parse(`+23480312${String(index).padStart(5, '0')}`),
    ),
  );
const states = ['underway', 'accepted', 'rejected', 'not_sent', 'unconfirmed'] as const;

function fits(view: HomeView | ModalView): void {
  assertSlackAccepts(view);
}

function fitsMessage(message: SlackMessage): void {
  assert.equal(checkMessage(message), undefined);
}

function operation(kind: string, summary: Operation['summary']): fc.Arbitrary<Operation> {
  return fc
    .record({ state: fc.constantFrom(...states), said: typed, id: name, balance: name })
    .map(({ state, said, id, balance }) => ({
      id: 'operation',
      workspaceId: 'T0',
      key: 'key',
      kind,
      userId: 'U0AGENT',
      summary,
      state,
      providerId: id,
      balance,
      createdAt: new Date(),
      ...(state === 'accepted' || state === 'underway'
        ? {}
        : { error: { reason: 'refused', message: said, providerMessage: said } }),
    }));
}

const reached: ReachedNow = {
  subject: 'block/x',
  reason: {
    rule: 'country',
    subject: 'messages',
    countries: ['Ghana', 'Kenya', 'Togo', 'Benin'],
    recipients: 9,
  },
  freesAt: new Date(),
  userId: 'U0AGENT',
  refusals: 12,
  at: new Date(),
};

describe('the longest content fits within Slack’s limits', () => {
  it('in the form of /sms, on every route', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...routeSchema.options),
        typed,
        name,
        fc.boolean(),
        (route, text, sender, asFile) => {
          const form = {
            recipients: text,
            senderId: sender,
            device: text,
            route,
            text,
            asFile,
            address: text,
          };
          const destination = { inChannel: true, channelId: 'C0SUPPORT', showNumbers: true };
          fits(
            composeView(
              { ...form, address: text.slice(0, 2000), device: text.slice(0, 2000), destination },
              { draftId: 'd' },
              { unicode: false, commandPrefix: 'acme-' },
            ),
          );
        },
      ),
      runs,
    );
  });

  it('in the review and preview of a message, with 100 recipients and every warning', () => {
    fc.assert(
      fc.property(numbers, someText, name, (recipients, text, sender) => {
        const leftOut = recipients.map((number) => ({ text: number, reason: text.slice(0, 60) }));
        const review = {
          draft: {
            id: 'draft',
            version: 1,
            createdBy: 'U0AGENT',
            content: {
              recipients,
              leftOut,
              senderId: sender,
              route: 'generic' as const,
              text,
              channelId: 'C0SUPPORT',
            },
          },
          cost: {
            kind: 'known',
            perPage: text,
            prices: [...Array(240).keys()].map((pages) => ({
              country: 'NG',
              pages,
              perPage: text,
              source: { kind: 'entered', at: new Date(pages * 86_400_000) },
            })),
            unknown: [...Array(240).keys()].map((pages) => ({ country: 'GH', pages })),
            total: text,
            enoughFor: 3,
            isShort: true,
          } satisfies CostEstimate,
          budgets: [{ window: 'day' as const, limit: 1_000, used: 900, ends: new Date() }],
          limit: undefined,
          pagesEach: 43,
          pages: 4300,
          warnings: [
            { kind: 'do_not_contact' as const, recipients },
            { kind: 'quiet_hours' as const, recipients, endsAt: new Date() },
            { kind: 'dnd_on_generic' as const, recipients },
            { kind: 'dnd_unknown' as const, recipients },
            { kind: 'code_on_generic' as const },
            { kind: 'special_characters' as const, characters: [...text], pages: 43, pagesWithout: 19 },
          ],
          delivery: checkDelivery(
            {
              route: 'generic',
              senderId: 'Palm24',
              text: `https://a.example reply STOP ${[...filteredWords].join(' ')}`,
              recipients: { count: 100, quiet: 0, networks: ['9mobile', 'Airtel', 'Glo', 'MTN'] },
              activeSenderIds: [],
              off: [],
            },
            { start: new Date('2026-03-14T23:00:00Z') },
          ),
          listed: [...recipients.keys()],
        };
        fits(reviewView(review, { origin: 'C0SUPPORT' }, { duplicates: 12 }));
        fitsMessage(previewMessage(review, 'C0SUPPORT', 12));
        fitsMessage(
          faultsMessage([text, text], review.draft, { origin: 'C0SUPPORT', commandPrefix: 'acme-' }),
        );
      }),
      runs,
    );
  });

  it('in the outcome of a message, with any text of the provider', () => {
    const to = Array.from({ length: 5 }, () => '+234803•••4567');
    const summary = {
      route: 'dnd',
      senderId: 'PalmMarket',
      recipients: 100,
      to,
      pagesEach: 3,
      showNumbers: false,
    };
    fc.assert(
      fc.property(operation('sms.send', summary), (sent) => {
        fits(messageOutcomeView(sent));
        fitsMessage(outcomeMessage(sent));
      }),
      runs,
    );
  });

  it('in the form and the outcome of /otp, in every way', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...otpWaySchema.options),
        typed,
        operation('otp.voice', { way: 'voice', to: '+234803•••4567', minutes: 10, senderId: '' }),
        (way, text, sent) => {
          const short = text.slice(0, 75).toWellFormed();
          const form = {
            way,
            number: short,
            address: text.slice(0, 254).toWellFormed(),
            device: short,
            senderId: 'PalmMarket',
          };
          const defaults = {
            way,
            text: text.slice(0, 1000).toWellFormed(),
            length: 8,
            minutes: 60,
            attempts: 10,
            characters: 'ALPHANUMERIC',
          } as const;
          for (const isAdmin of [false, true]) {
            fits(
              codeView({
                form,
                destination: { inChannel: true, channelId: 'C0' },
                metadata: { key: 'k' },
                setup: { defaults, ways: otpWaySchema.options, verifiesProviderCodes: true, country: 'NG' },
                isAdmin,
                settingsCommand: '/switchboard',
              }),
            );
          }
          fits(codeDefaultsView(defaults, mrkdwn`Saved.`));
          fits(codeDefaultsView({ ...defaults, senderId: short || 'Palm', emailConfigurationId: short }));
          fits(codeOutcomeView(sent));
        },
      ),
      runs,
    );
  });

  it('in the list of sender IDs, a request for one, and its outcome', () => {
    fc.assert(
      fc.property(
        fc.array(name, { maxLength: 100 }),
        typed,
        operation('sender_id.request', { senderId: 'PalmFresh', company: 'Palm' }),
        (names, text, asked) => {
          const records = names.map((senderId) => ({ senderId, status: senderId, company: text, raw: {} }));
          const facts = {
            number: 0,
            size: 100,
            first: true,
            last: false,
            empty: records.length === 0,
            raw: {},
          };
          const page = { records, numberOfElements: records.length, ...facts };
          fits(senderIdListView({ kind: 'listed', page }, { page: 0 }, permissionsOf(['admin'])));
          const short = text.slice(0, 20).toWellFormed();
          fits(
            requestView(
              { senderId: short, useCase: text.slice(0, 500).toWellFormed(), company: short },
              'key',
            ),
          );
          fits(requestOutcomeView(asked));
        },
      ),
      runs,
    );
  });

  it('in the erasure of a person, before and after, with any counts', () => {
    fits(eraseFormView());
    fits(erasingView());
    fits(unfinishedView());
    const count = fc.constantFrom(0, 1, 2, 1_000_000, Number.MAX_SAFE_INTEGER);
    fc.assert(
      fc.property(
        fc.record({ operations: count, campaigns: count, isListed: fc.boolean() }),
        numbers,
        (known, [number]) => {
          assert.ok(number);
          fits(eraseConfirmView(number, known));
        },
      ),
      runs,
    );
    const counts = Object.keys(noCounts()).map((key) => [key, count] as const);
    fc.assert(
      fc.property(fc.record(Object.fromEntries(counts)), (some) =>
        fits(erasedView({ ...noCounts(), ...some })),
      ),
      runs,
    );
  });

  it('in the settings, the Home and the history', () => {
    const summary = {
      route: 'dnd',
      senderId: 'PalmMarket',
      recipients: 1,
      to: ['+234803•••4567'],
      pagesEach: 1,
    };
    const connection = { lastFour: '4a26', by: 'U0ADMIN', at: new Date() };
    fc.assert(
      fc.property(name, fc.array(operation('sms.send', summary), { maxLength: 20 }), (sender, operations) => {
        fits(
          settingsView(
            connection,
            { country: 'NG', route: 'dnd', senderId: sender, esimPurchases: true },
            {
              chatChannel: sender,
              optOutLinks: true,
              reports: true,
              missing: missingScopes([]),
            },
          ),
        );
        const thread = {
          workspaceId: 'T1',
          id: 'c6a5c2a5-55f4-4c7c-9d3c-6c1f4c0f7a2e',
          number: '+2348031234567',
          receiver: sender,
          setBy: 'U0ADMIN',
          state: 'open' as const,
          assignedTo: 'U0ADMIN',
          lastBy: undefined,
          lastAt: new Date(),
          headId: undefined,
          message: undefined,
          version: 1,
          sender: { senderId: sender, route: 'generic' as const },
        };
        const inbound = {
          workspaceId: 'T1',
          id: 'i',
          threadId: thread.id,
          receivedAt: new Date(),
          text: sender,
        };
        fitsMessage(headMessage(thread, inbound));
        fitsMessage(laterMessage(thread, { ...inbound, text: sender.repeat(2_000) }));
        const written = { text: sender, latest: inbound, unicode: false, userId: 'U0AGENT' };
        fits(replyView(thread, { threadId: thread.id, draftId: thread.id }, written));
        const words = { stop: sender.repeat(2_000).slice(0, 2_100), start: sender };
        const set = {
          isOn: true,
          channelId: 'C1',
          confirms: true,
          confirmation: sender.slice(0, 160),
          words,
        };
        const repliesToPost = { unposted: 1_000_000, lacksChannel: true };
        fits(replySettingsView(set, { missing: 'address', toPost: repliesToPost }));
        const entries = operations.map((operation) => ({
          kind: 'operation' as const,
          at: operation.createdAt,
          operation,
          recipients: 1,
        }));
        const user = { roles: new Set(roles), permissions: permissionsOf(roles) };
        const unconfirmed = operations.map(({ id }) => ({ kind: 'operation' as const, id }));
        const attention = { paused: [], missed: [], asked: [], toDecide: [], drafts: 30, unconfirmed };
        const budgets = [{ window: 'month' as const, limit: 1_000, used: 900, ends: new Date() }];
        const admin = {
          keyRejected: true,
          encryptionKeys: { name: 'reencrypting', left: 1_000_000 } as const,
          reached: [reached, reached, reached],
          budgets,
          repliesToPost,
          withheld: [],
        };
        const content = {
          user,
          connection,
          balance: { amount: sender, at: new Date() },
          monthCosts: { amounts: [sender, sender], messages: 1_000_000 },
          attention,
          activity: entries,
          contacts: { supportUrl: new URL('https://acme.example/support') },
        };
        fits(homeView({ ...content, admin }, outcomeRenderers));
        const next = '00000001-c6a5c2a5-55f4-4c7c-9d3c-6c1f4c0f7a2e';
        const cursor = JSON.stringify([next, next]);
        const query = Array(50)
          .fill(cursor)
          .reduce<HistoryQuery>(pageAfter, firstPageOf({ kind: 'sender_id', state: 'unconfirmed' }));
        const options = { query, outcomeRenderers, isAdmin: true, areTracked: true };
        const page = { entries: entries.slice(0, 20), next: cursor };
        fits(historyView({ kind: 'page', page }, options));
        fits(historyView({ kind: 'unconfirmed', entries: page.entries }, options));
        for (const asTable of [true, false]) {
          const shown = historyMessage(page, { ...options, zone: 'Africa/Lagos', asTable });
          fitsMessage(shown);
        }
        const charges = {
          estimate: { total: sender, perPage: '1', pages: 9, unknownPages: 3 },
          total: sender,
          messages: 4,
          free: 2,
          perPage: '2',
        };
        for (const entry of page.entries) {
          fits(
            entryView({ ...entry, content: { text: sender } }, outcomeRenderers, { canAsk: true, charges }),
          );
        }
      }),
      runs,
    );
  });

  it('in the delivery reports, with a long address, and in their forms', () => {
    const token = 'x'.repeat(43);
    const origin = `https://${'long.'.repeat(40)}example.com`;
    for (const isKnown of [true, false]) {
      const settings = { key: 'secret' as const, hasKey: isKnown, lastReceived: new Date() };
      fits(reportsView({ ...settings, token, origin: isKnown ? origin : undefined }, mrkdwn`Saved.`));
      fits(reportsView({ ...settings, key: 'api_key', token: undefined, origin }));
    }
    for (const view of [reportsOffView(), secretView(), repliesOffView()]) {
      fits(view);
    }
  });

  it('in the costs of a month: of as many people, senders and months as there may be', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 11 }), (sender) => {
        const sum = { amounts: ['999999999999999.999999 NGN', '999999999999999.999999 USD'], messages: 1e12 };
        const byUser = Array.from({ length: 300 }, (_, index) => ({ ...sum, userId: `U${index}` }));
        const bySender = byUser.map((each) => ({ ...each, senderId: sender }));
        const months = Array.from({ length: 150 }, (_, index) =>
          new Date(Date.UTC(2026, index)).toISOString().slice(0, 7),
        );
        const shown = { month: '2026-01', total: sum, byUser, bySender };
        fits(costsView({ shown, months, isEveryones: true }));
        fits(costsView({ shown, months: [], isEveryones: false }));
      }),
      runs,
    );
  });

  it('in the roles: as many as there can be, of people and groups with any name', () => {
    const id = fc.string({ minLength: 1, maxLength: 20 });
    const to = fc.oneof(
      fc.constant({ kind: 'everyone' as const }),
      fc.record({ kind: fc.constantFrom('person' as const, 'group' as const), id }),
    );
    const grant = fc.record({ to, role: fc.constantFrom(...roles) });
    fc.assert(
      fc.property(
        fc.array(grant, { minLength: maxGrants, maxLength: maxGrants }),
        name,
        fc.constantFrom('set' as const, 'default' as const),
        (grants, handle, origin) => {
          const changedAt = new Date();
          const settings = { version: 999_999, grants, origin, changedBy: 'U0ADMIN', changedAt };
          const listed = grants.map((given) => ({
            id: 'id' in given.to ? given.to.id : '',
            name: handle,
            handle,
            users: new Set<string>(),
          }));
          for (const groups of [
            { kind: 'listed' as const, groups: listed },
            { kind: 'no_scope' as const },
            { kind: 'unknown' as const },
          ]) {
            fits(rolesView(settings, groups, mrkdwn`${handle}`));
            fits(addRoleView(999_999, groups));
          }
        },
      ),
      runs,
    );
  });

  it('in the limits, with as many as are listed and every country', () => {
    const all = countries.map(({ code }) => code);
    const limits = {
      chosen: {
        numbers: {},
        countries: { messages: all, codes: all },
        pages: { day: 1, month: 2 },
        by: 'U0ADMIN',
      },
      limitOf: () => 1_000_000,
      countries: { messages: all, codes: all },
      pages: { day: 1, month: 2 },
    };
    const ten = Array.from({ length: 10 }, () => ({
      ...reached,
      reason: { rule: 'again' as const, seconds: 3, shown: '+234803•••4567' },
    }));
    fits(
      limitsView({
        limits,
        reached: ten,
        used: { day: 900, month: 90_000 },
        own: 'NG',
      }),
    );
  });

  it('in the history of a number: campaigns of any name, with the error of each chunk', () => {
    const number = phoneNumberSchema.parse('+2348031234567');
    fc.assert(
      fc.property(typed, name, fc.boolean(), (said, named, more) => {
        const counts = {
          recipients: 1_000_000,
          duplicates: 0,
          suppressed: 0,
          acceptedBefore: 0,
          invalid: 0,
          pages: 43_000_000,
          fewestPages: 1,
          mostPages: 43,
          quiet: 0,
          accepted: 300_000,
          rejected: 300_000,
          unconfirmed: 300_000,
          chunks: 10_000,
        };
        const campaign = {
          workspaceId: 'T0',
          id: 'campaign',
          createdBy: 'U0AGENT',
          name: named,
          route: 'dnd',
          senderId: 'PalmMarket',
          personal: false,
          state: 'done' as const,
          counts,
          inFlight: 0,
          createdAt: new Date(),
        };
        const error = { reason: 'refused', message: said };
        const chunk = { id: 'campaign', chunk: 9_999, state: 'rejected' as const, error };
        const entries = Array.from({ length: 30 }, () => {
          const content = { text: said };
          return {
            kind: 'campaign' as const,
            at: campaign.createdAt,
            campaign,
            chunk,
            content,
            recipients: 1,
          };
        });
        const options = { query: firstPageOf({}), outcomeRenderers, isAdmin: true, areTracked: true };
        const shown = { kind: 'found' as const, number, found: { entries, more, byColleagues: 1_000_000 } };
        fits(historyView(shown, { ...options, typed: said }));
        const fault = `“${said.slice(0, 40)}” is none.`;
        fits(historyView({ kind: 'no_number', fault }, { ...options, isAdmin: false }));
      }),
      runs,
    );
  });

  it('in the do-not-contact list, with a page of numbers and many rejected rows', () => {
    fc.assert(
      fc.property(numbers, name, typed, fc.boolean(), (listed, fileName, cell, isAdmin) => {
        const addition = {
          createdBy: 'U0AGENT',
          createdAt: new Date(),
          source: { kind: 'file' as const, name: fileName },
        };
        const page = {
          numbers: listed.slice(0, 40).map((number) => ({ number, ...addition })),
          before: 99_960,
          next: `${Date.now()}-${'f'.repeat(32)}`,
        };
        const bad = Array.from({ length: 90 }, (_, line) => ({ line, text: cell, reason: 'is too short' }));
        const file = { numbers: [], duplicates: 12, rejected: bad, column: fileName };
        const banner = importedBanner(fileName, file, {
          added: { added: 90_000, alreadyListed: 10_000 },
          isRejectedFileSent: isAdmin,
        });
        const trail = Array<string>(90).fill(page.next).reduce(nextCursor, firstCursor);
        for (const number of listed.slice(0, 1)) {
          const lookup = { ok: true as const, number, listed: { number, ...addition } };
          fits(suppressionListView({ count: 100_000, page, trail, isAdmin, banner, lookup }));
        }
        fits(
          suppressionListView({
            count: 1,
            page,
            trail,
            isAdmin,
            lookup: { ok: false, fault: cell.slice(0, 40) },
          }),
        );
      }),
      runs,
    );
  });
});
