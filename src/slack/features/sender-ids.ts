import type { Button } from '@slack/types';
import { maxSenderIdLength, readNewSenderId } from '../../domain/messages/sender-id.ts';
import type { SenderId } from '../../provider/sender-ids.ts';
import { readSenderIdForm, senderIdSummarySchema } from '../../services/sender-ids/sender-id-service.ts';
import type { Operation } from '../../store/operations/operation.ts';
import { button, entry, lines, present } from '../block-kit/build.ts';
import { brief } from '../block-kit/limits.ts';
import { pageIndicator, viewPageOf } from '../block-kit/paging.ts';
import { stateIcons } from '../block-kit/state-icons.ts';
import { joinWords, type Markup, mrkdwn, timeFor } from '../block-kit/text.ts';
import { defineCommand } from '../kit/command.ts';
import { choiceField, textField } from '../kit/fields.ts';
import { byPage, defineList } from '../kit/list.ts';
import { defineOutcome, defineSpend } from '../kit/outcome.ts';
import type { AppContext } from '../middleware/app-context.ts';
import type { Router } from '../middleware/router/router.ts';
import { openActions } from '../navigation/open-actions.ts';

/** `/sender-id`: the list of sender IDs, and requests for new ones. */
export function registerSenderIds(router: Router, context: AppContext): void {
  const list = createSenderIdList(context);
  const request = createSenderIdRequest(context);

  const command = defineCommand(context, {
    name: 'sender-id',
    title: 'How to see and request sender IDs',
    purpose: mrkdwn`*See your sender IDs* with their status, and *request* new ones.`,
    connected: true,
    words: {
      request: {
        needs: 'campaign',
        help: (name) => mrkdwn`\`${name} request\` asks the provider for a new sender ID.`,
        run: async (call) => call.open(await request.begin(call, undefined)),
      },
    },
    otherwise: {
      needs: 'look_up',
      help: (name) =>
        mrkdwn`\`${name}\` lists your sender IDs. \`${name} palm active\` lists the active ones with *palm* in the name.`,
      accepts: (typed) => isSearch(typed) && !command.isMisspelt(typed),
      run: (call, typed) => list.show(call.open, call.user, readSearch(typed), undefined),
    },
  });

  command.register(router);
  list.register(router);
  request.register(router);
  router.action(openActions.senderIds, 'look_up', ({ open, user }) => list.show(open, user, {}, undefined));
  router.action(openActions.senderIdRequest, 'campaign', async (call) => {
    const { workspaceId, userId } = call.user;
    const before = await context.services.operations.findEnded(workspaceId, call.value, userId);
    const initial = senderIdSummarySchema.safeParse(before?.summary).data;
    const sample = before && (await context.services.messages.sent(before));
    const useCase = sample?.kind === 'kept' ? sample.text : '';
    await call.push(await request.begin(call, undefined, initial && { initial: { ...initial, useCase } }));
  });
}

const statuses = {
  any: 'Any status',
  active: 'Active',
  pending: 'Pending',
  declined: 'Declined',
  blocked: 'Blocked',
} as const;
type Status = keyof typeof statuses;

const isStatus = (word: string): word is Status => word !== 'any' && Object.hasOwn(statuses, word);

function createSenderIdList({ services: { senderIds } }: AppContext) {
  return defineList({
    id: 'sender_id_list',
    title: 'Sender IDs',
    needs: 'look_up',
    fields: {
      name: textField('Name', { max: 20, placeholder: 'Part of a name', optional: true, live: 'enter' }),
      status: choiceField('Status', statuses, { first: 'any', live: true }),
    },
    paging: byPage,
    loading: 'Asking the provider…',
    async read({ workspaceId }, { form, position }) {
      const page = await senderIds.list(workspaceId, {
        page: position.page,
        name: form.name.trim() || undefined,
        status: form.status === 'any' ? undefined : form.status,
      });
      const { records, number, last } = page;
      return {
        rows: lines(records.map(line)),
        empty: mrkdwn`No results.`,
        about: pageIndicator(page),
        neighbours: viewPageOf(records, { page: number, from: 0 }, { last }),
      };
    },
    buttons: ({ permissions }): Button[] =>
      permissions.has('campaign')
        ? [button(openActions.senderIdRequest, 'Request a sender ID', { style: 'primary' })]
        : [],
  });
}

/** Of a listed name, such as `Palm Pay`. */
const maxNameWords = 2;

/** `palm active`: a part of a name, a status, or both in any order. */
function isSearch(typed: string): boolean {
  const words = wordsOf(typed);
  return (
    words.length <= maxNameWords + 1 &&
    words.filter((word) => !isStatus(word.toLowerCase())).length <= maxNameWords
  );
}

function readSearch(typed: string): { name: string; status: Status } {
  const words = wordsOf(typed);
  const status = words.map((word) => word.toLowerCase()).find(isStatus);
  const name = words.filter((word) => word.toLowerCase() !== status).join(' ');
  return { name, status: status ?? 'any' };
}

const wordsOf = (typed: string) => typed.split(/\s+/).filter((word) => word !== '');

/** A map, not an object, which would also find `toString` and the like for a status of the provider. */
const statusIcons = new Map([
  ['active', stateIcons.done],
  ['pending', stateIcons.underway],
  ['declined', stateIcons.failed],
  ['blocked', stateIcons.blocked],
]);

function line({ senderId, status, country, createdAt, company }: SenderId): Markup {
  const origin = present(country, company).map(brief);
  const since =
    createdAt === undefined ? mrkdwn`` : mrkdwn`${origin.length === 0 ? '' : ' · '}${timeFor(createdAt)}`;
  const icon = statusIcons.get(status) ?? stateIcons.unknown;
  return entry(icon, mrkdwn`*${brief(senderId)}* · ${brief(status)}`, mrkdwn`${joinWords(origin)}${since}`);
}

/** The form for a new sender ID. Below its field stands whether the typed text is a valid one. */
function createSenderIdRequest(context: AppContext) {
  return defineSpend(context, {
    id: 'sender_id_request',
    title: 'Sender ID request',
    submit: 'Request',
    needs: 'campaign',
    fields: {
      senderId: textField('Sender ID', {
        max: 20,
        live: 'character',
        focus: true,
        hint: '3 to 11 letters and digits, or a number.',
      }),
      useCase: textField('Sample message', {
        max: 500,
        multiline: true,
        placeholder: 'Your order A1204 has left our shop and arrives tomorrow.',
        hint: 'A typical message, as customers will get it. Reviewers look for your company or the sender ID in the text.',
      }),
      company: textField('Company', { max: 100 }),
    },
    notes: { senderId: ({ form }) => validityNote(form.senderId) },
    doing: 'Requesting the sender ID…',
    done: 'requested',
    nothingDone: 'Nothing was requested.',
    async submitted({ user, key, form }) {
      const read = readSenderIdForm(form);
      return read.ok
        ? { perform: () => context.services.senderIds.request({ ...user, key, form: read.form }) }
        : { faults: read.faults };
    },
    outcome: senderIdOutcome.view,
  });
}

function validityNote(typed: string): Markup {
  if (typed.trim() === '') {
    return mrkdwn`As recipients will see it.`;
  }
  const read = readNewSenderId(typed);
  if (!read.ok) {
    return mrkdwn`${stateIcons.failed} ${read.reason}`;
  }
  // The length limit applies only to names.
  const { senderId } = read;
  const measured = /^\d+$/.test(senderId) ? '' : ` (${senderId.length}/${maxSenderIdLength})`;
  return mrkdwn`${stateIcons.done} Looks good${measured}.`;
}

const titles: Record<Operation['state'], string> = {
  underway: 'Sender ID',
  accepted: 'Sender ID requested',
  rejected: 'Request rejected',
  not_sent: 'Request not sent',
  unconfirmed: 'Request unconfirmed',
};

const senderIdOf = ({ summary }: Operation) => senderIdSummarySchema.parse(summary).senderId;

export const senderIdOutcome = defineOutcome({
  title: ({ state }) => titles[state],
  subject: (operation) => mrkdwn`The sender ID ${senderIdOf(operation)}`,
  accepted: (operation) =>
    mrkdwn`*Requested: ${senderIdOf(operation)}.* The sender ID is pending until the provider has reviewed it. Your account manager will contact you.`,
  done: 'requested',
  check: 'Look for the sender ID in the list before you request it again.',
  line: (operation) => mrkdwn`Request for the sender ID ${senderIdOf(operation)}`,
});
