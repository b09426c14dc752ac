import { z } from 'zod';
import { PersonalText } from '../../../domain/access/private-values.ts';
import { readIccid } from '../../../domain/esims/iccid.ts';
import type { PhoneNumber } from '../../../domain/phone/phone-number.ts';
import { readNumber } from '../../../domain/phone/read-number.ts';
import { describeInvalid, readNumbers } from '../../../domain/phone/read-numbers.ts';
import {
  type HistoryEntry,
  historyReader,
  readEntryId,
  writeEntryId,
} from '../../../services/history/history.ts';
import { ifRefused } from '../../../services/refusal.ts';
import { unreadableNote } from '../../../services/workspaces/account-list-cache.ts';
import { context, lines, present, quotation, section } from '../../block-kit/build.ts';
import { describeBalance, describeCostSum } from '../../block-kit/descriptions/costs.ts';
import { brief } from '../../block-kit/limits.ts';
import { type Markup, mrkdwn, timeFor } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { UserError } from '../../middleware/errors.ts';
import type { User } from '../../middleware/requests.ts';
import { defineTool, type Tool } from '../../middleware/router/tool.ts';
import type { ToolContent } from '../../navigation/navigation.ts';
import { historyLine } from '../../notifier/history-line.ts';
import { messageFor, type OutcomeRenderers, readOutcome } from '../../notifier/outcome.ts';

/** In one check: its result fits into one answer. */
const maxNumbers = 30;
const maxEntries = 10;

/** `max`: in characters. */
export const typed = (description: string, max: number) => z.string().max(max).describe(description);
export const typedNumber = typed('A phone number, such as +2348031234567', 40);

/** The tools that read. */
export function readTools(app: AppContext, content: ToolContent): Tool[] {
  const prefix = `/${app.settings.commandPrefix}`;
  return [
    ...numberTools(app, content, prefix),
    ...historyTools(app, mrkdwn`\`${prefix}sms history\` shows the numbers and the texts.`),
    ...accountTools(app, content, prefix),
    ...esimTools(content, prefix),
  ];
}

function numberTools(app: AppContext, { checkNumbers, numberCard }: ToolContent, prefix: string): Tool[] {
  return [
    defineTool({
      name: 'check_numbers',
      title: 'Check numbers',
      description: `Checks up to ${maxNumbers} phone numbers for Do-Not-Disturb, with the network and the route that reaches each.`,
      needs: 'look_up',
      readOnly: true,
      input: z.object({ numbers: typed('Phone numbers, separated by commas or spaces', 2_000) }),
      next: mrkdwn`\`${prefix}dnd-check\` shows the numbers in full.`,
      async run({ user, input }) {
        const { country } = await app.services.workspaces.defaults(user.workspaceId);
        const { numbers, invalid } = readNumbers(input.numbers, country);
        if (numbers.length === 0 || numbers.length > maxNumbers) {
          const fault = numbers.length === 0 ? describeInvalid(invalid) : `At most ${maxNumbers} at once.`;
          throw new UserError(mrkdwn`${fault} Nothing was checked.`);
        }
        const { blocks } = await checkNumbers(user, numbers);
        const skipped = mrkdwn`Not checked: ${new PersonalText(describeInvalid(invalid))}`;
        return invalid.length === 0 ? blocks : [...blocks, context(skipped)];
      },
    }),
    defineTool({
      name: 'look_up_number',
      title: 'Look up a number',
      description: 'Looks up one phone number: network, porting, country, Do-Not-Disturb, route to use.',
      needs: 'look_up',
      readOnly: true,
      input: z.object({ number: typedNumber }),
      next: mrkdwn`\`${prefix}number\` shows the number in full.`,
      run: async ({ user, requestId, input }) =>
        (await numberCard(user, await readGivenNumber(app, user, input.number), requestId)).blocks,
    }),
  ];
}

function historyTools(app: AppContext, next: Markup): Tool[] {
  const { services, outcomeRenderers } = app;
  return [
    defineTool({
      name: 'history',
      title: 'History',
      description:
        'Lists sent messages, newest first, with the state and the id of each entry. People see their own; admins see everyone’s, or one person’s. With a number: what was sent to it, and the last reply from it.',
      needs: 'use',
      readOnly: true,
      input: z.object({
        number: typedNumber.optional(),
        person: typed('For admins: the Slack id of a person, such as U012ABC', 40).optional(),
      }),
      next,
      async run({ user, input: { number: given, person } }) {
        const reader = historyReader(user);
        const by = person === undefined ? undefined : (/[UW][A-Z0-9]+/.exec(person)?.[0] ?? '');
        if (by !== undefined && by !== user.userId && reader.scope === 'own') {
          throw new UserError(mrkdwn`Only admins see what others sent. Nothing was read.`);
        }
        const number = given === undefined ? undefined : await readGivenNumber(app, user, given);
        const filter = { userId: by, number };
        const { entries } = await services.history.page(reader, { filter, limit: maxEntries });
        const shown = entries.map((entry) => entryLine(entry, outcomeRenderers, reader.scope === 'everyone'));
        const found = lines(shown.length === 0 ? [mrkdwn`Nothing was found.`] : shown);
        const reply = number && (await services.replies.latestFor(reader, number));
        if (number === undefined || reply === undefined) {
          return found;
        }
        const title = mrkdwn`*The last reply from ${number}*, ${timeFor(reply.receivedAt)}`;
        return [...found, section(title), quotation(new PersonalText(reply.text))];
      },
    }),
    defineTool({
      name: 'message_status',
      title: 'Message outcome',
      description: 'Returns the outcome of one history entry, and what was reported about its delivery.',
      needs: 'use',
      readOnly: true,
      input: z.object({ entry: typed('The id of an entry, from the tool history', 120) }),
      next,
      async run({ user, input }) {
        const entry = await services.history.entry(historyReader(user), readEntryId(input.entry));
        if (entry === undefined) {
          throw new UserError(
            mrkdwn`There is no such entry, or it isn’t yours. Use the tool *history* first.`,
          );
        }
        const describe = entry.kind === 'operation' ? outcomeRenderers[entry.operation.kind] : undefined;
        if (entry.kind === 'campaign' || describe === undefined) {
          return [section(entryLine(entry, outcomeRenderers, true))];
        }
        const outcome = await readOutcome(app, entry.operation, 'channel');
        return messageFor(outcome, describe({ ...outcome, sent: undefined })).blocks;
      },
    }),
  ];
}

function accountTools({ services }: AppContext, { campaignProgress }: ToolContent, prefix: string): Tool[] {
  const { senderIds, costs, costMonths, balanceChecks } = services;
  return [
    defineTool({
      name: 'campaigns',
      title: 'Campaigns',
      description: 'Lists campaigns with their state, or returns the progress of those whose name matches.',
      needs: 'campaign',
      readOnly: true,
      input: z.object({ name: typed('Part of the name of a campaign', 80).optional() }),
      next: mrkdwn`\`${prefix}sms bulk list\` opens them.`,
      run: ({ user, input }) => campaignProgress(user, input.name ?? ''),
    }),
    defineTool({
      name: 'sender_ids',
      title: 'Sender IDs',
      description: 'Lists the sender IDs of the account with their status.',
      needs: 'look_up',
      readOnly: true,
      input: z.object({ name: typed('Part of a sender ID', 20).optional() }),
      next: mrkdwn`\`${prefix}sender-id\` lists all of them, and requests new ones.`,
      async run({ user, input }) {
        const name = input.name?.trim() || undefined;
        const { records, unreadable } = await senderIds.list(user.workspaceId, { page: 0, name });
        const found = records.map(({ senderId, status }) => mrkdwn`*${brief(senderId)}* · ${brief(status)}`);
        const leftOut = unreadableNote(unreadable.length);
        return lines([
          ...found,
          ...present(
            found.length === 0 && leftOut === undefined && mrkdwn`No sender IDs.`,
            leftOut !== undefined && mrkdwn`${leftOut}.`,
          ),
        ]);
      },
    }),
    defineTool({
      name: 'balance_and_costs',
      title: 'Balance and costs',
      description:
        'Returns the latest known balance of the account, and what the provider charged this month.',
      needs: 'look_up',
      readOnly: true,
      input: z.object({}),
      next: mrkdwn`Switchboard’s Home has *Costs* by month.`,
      async run({ user }) {
        const { workspaceId } = user;
        if (balanceChecks.areOn) {
          // If the provider doesn't answer, use the latest known balance.
          await balanceChecks.check(workspaceId).catch(ifRefused(['not_connected', 'failed'], () => {}));
        }
        const reader = historyReader(user);
        const [balance, { total }] = await Promise.all([
          costs.balance(workspaceId),
          costMonths.month(reader),
        ]);
        const known = balance === undefined ? mrkdwn`not known yet` : describeBalance(balance);
        const whose = reader.scope === 'own' ? ' (only your messages)' : '';
        return [
          section(mrkdwn`*Balance* ${known}`),
          section(
            total.messages === 0
              ? mrkdwn`*This month* no costs reported yet${whose}`
              : mrkdwn`*This month* ${describeCostSum(total)}${whose}`,
          ),
        ];
      },
    }),
  ];
}

function esimTools({ esimStatus, listPlans }: ToolContent, prefix: string): Tool[] {
  return [
    defineTool({
      name: 'esim_status',
      title: 'eSIM status',
      description: 'Returns the plan of an eSIM, when it expires, and how much data is used.',
      needs: 'esim_status',
      readOnly: true,
      input: z.object({ iccid: typed('The ICCID of the eSIM, 18 to 22 digits', 60) }),
      next: mrkdwn`\`${prefix}esim-status\` also shows how to install it.`,
      async run({ user, input }) {
        const read = readIccid(input.iccid);
        if (!read.ok) {
          throw new UserError(mrkdwn`${read.reason}`);
        }
        return esimStatus(user, read.iccid);
      },
    }),
    defineTool({
      name: 'esim_plans',
      title: 'eSIM plans',
      description: 'Lists data plans for eSIMs with their price and id.',
      needs: 'look_up',
      readOnly: true,
      input: z.object({
        country: typed('The name or the code of a country', 80).optional(),
        type: z.enum(['local', 'region']).optional(),
      }),
      next: mrkdwn`There may be more. The tool *draft_esim_order* prepares an order.`,
      run: ({ user, input: { country = '', type = '' } }) => listPlans(user, `${country} ${type}`),
    }),
  ];
}

/** Throws a UserError if the text is no number. */
export async function readGivenNumber(
  { services }: AppContext,
  { workspaceId }: User,
  text: string,
): Promise<PhoneNumber> {
  const { country } = await services.workspaces.defaults(workspaceId);
  const read = readNumber(text, country);
  if (!read.ok) {
    throw new UserError(mrkdwn`“${text}” ${read.reason}.`);
  }
  return read.number;
}

/** Without the text: the line has the numbers of its sender's own entries in full. */
function entryLine(entry: HistoryEntry, renderers: OutcomeRenderers, withActor: boolean) {
  const masked = { ...entry, content: undefined };
  return mrkdwn`${historyLine(masked, renderers, { withActor })} · id \`${writeEntryId(entry)}\``;
}
