import type { KnownBlock, ModalView } from '@slack/types';
import { type PhoneNumber, phoneNumberSchema } from '../../../domain/phone/phone-number.ts';
import { readNumberList } from '../../../services/numbers/number-list.ts';
import type { AddSuppressedResult } from '../../../services/suppression-list/suppression-list.ts';
import { context, modal, notice, section } from '../../block-kit/build.ts';
import { rejectedRowsBlocks } from '../../block-kit/descriptions/rejected-rows.ts';
import { textInput } from '../../block-kit/inputs/fields.ts';
import { limits } from '../../block-kit/limits.ts';
import { type CursorPosition, cursorPositionSchema } from '../../block-kit/paging.ts';
import { formatCount, pluralize } from '../../block-kit/plural.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { UserError } from '../../middleware/errors.ts';
import type { SubmissionRequest, SubmissionResponse, User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { addRecipientsAction } from '../../navigation/open-actions.ts';

/** More than fit into the field. */
const maxPasted = 1_000;

/** Returns the list, with what was just done. */
export type ListView = (
  user: User,
  state: { banner: KnownBlock[]; trail?: CursorPosition },
) => Promise<ModalView>;

/** Additions and removals, of one number or of pasted ones. */
export function registerSuppressionChanges(router: Router, context: AppContext, view: ListView): void {
  const { suppressionList, messages } = context.services;

  router.action(suppressionListActions.addThis, 'use', async ({ user, value, view: listView }) => {
    const added = await suppressionList.add({
      ...user,
      numbers: [phoneNumberSchema.parse(value)],
      source: { kind: 'typed' },
    });
    await listView?.replace(await view(user, { banner: [section(addedBanner(added))] }));
  });

  router.action(suppressionListActions.removeThis, 'administer', async ({ user, value, view: listView }) => {
    const removed = await suppressionList.remove(user.workspaceId, [phoneNumberSchema.parse(value)]);
    const trail = cursorPositionSchema.parse(listView?.metadata);
    await listView?.replace(await view(user, { trail, banner: [section(removedBanner(removed, 1))] }));
  });

  router.action(suppressionListActions.add, 'use', async ({ view: listView }) => {
    await listView?.replace(addNumberView());
  });

  router.action(suppressionListActions.remove, 'administer', async ({ view: listView }) => {
    await listView?.replace(removeView());
  });

  router.submission(addNumberCallback, 'use', (call) =>
    changePasted(context, call, view, async (user, numbers) =>
      addedBanner(await suppressionList.add({ ...user, numbers, source: { kind: 'typed' } })),
    ),
  );

  router.submission(removeCallback, 'administer', (call) =>
    changePasted(context, call, view, async ({ workspaceId }, numbers) =>
      removedBanner(await suppressionList.remove(workspaceId, numbers), numbers.length),
    ),
  );

  router.action(addRecipientsAction, 'use', async (call) => {
    const { draft } = await messages.find(call.user.workspaceId, call.value, call.user.userId);
    if (draft === undefined) {
      throw new UserError(
        mrkdwn`This message is too old. Add the number with *Add numbers* in the do-not-contact list.`,
      );
    }
    const { recipients: numbers } = draft.content;
    const added = await suppressionList.add({ ...call.user, numbers, source: { kind: 'message' } });
    await call.push(notice(suppressionListTitle, section(addedBanner(added))));
  });
}

/** Changes the list by a form of pasted numbers. `change` returns what the list then says was done. */
async function changePasted(
  { services: { workspaces } }: AppContext,
  { user, values }: SubmissionRequest,
  view: ListView,
  change: (user: User, numbers: PhoneNumber[]) => Promise<Markup>,
): Promise<SubmissionResponse> {
  const { country } = await workspaces.defaults(user.workspaceId);
  const read = await readNumberList({ typed: values.numbers?.text ?? '' }, { country, max: maxPasted });
  if (!read.ok) {
    return { errors: read.faults };
  }
  const { numbers, rejected } = read.list;
  const banner = [section(await change(user, numbers)), ...rejectedRowsBlocks(rejected)];
  return { view: await view(user, { banner }) };
}

const addNumberCallback = 'do_not_contact_numbers';
const removeCallback = 'do_not_contact_off';

export const suppressionListTitle = 'Do-not-contact list';
export const suppressionListActions = {
  search: 'do_not_contact_search',
  add: 'do_not_contact_add',
  addThis: 'do_not_contact_add_this',
  remove: 'do_not_contact_remove',
  removeThis: 'do_not_contact_remove_this',
  import: 'do_not_contact_import',
  export: 'do_not_contact_export',
} as const;

/** The form that adds pasted numbers. */
export function addNumberView(): ModalView {
  const note = mrkdwn`Campaigns skip the numbers from now on. A running campaign skips those that it has not sent to yet.`;
  return pastedNumbersView(addNumberCallback, 'Add', note);
}

/** The form that removes pasted numbers. */
export function removeView(): ModalView {
  const note = mrkdwn`Campaigns can include the numbers again. Make sure that their owners agreed.`;
  return pastedNumbersView(removeCallback, 'Remove', note);
}

function pastedNumbersView(callbackId: string, submit: 'Add' | 'Remove', note: Markup): ModalView {
  const numbers = textInput('numbers', `Numbers to ${submit.toLowerCase()}`, '', {
    multiline: true,
    focus: true,
    maxLength: limits.inputText,
    hint: 'Separated by commas, spaces or line breaks. About 200 fit here.',
  });
  return modal({
    callbackId,
    title: suppressionListTitle,
    submit,
    close: 'Cancel',
    blocks: [numbers, context(note)],
  });
}

/** How many numbers were added, and how many were on the list already. */
export function addedBanner({ added, alreadyListed: already }: AddSuppressedResult): Markup {
  if (added === 0) {
    return already === 1
      ? mrkdwn`:information_source: The number was on the list already.`
      : mrkdwn`:information_source: All ${formatCount(already)} numbers were on the list already.`;
  }
  const before = already === 0 ? '' : ` ${formatCount(already)} ${wasOrWere(already)} on the list already.`;
  return mrkdwn`${stateIcons.done} *${pluralize(added, 'number')} added.*${before}`;
}

function removedBanner(removed: number, given: number): Markup {
  const others = given - removed;
  const notThere = others === 0 ? '' : ` ${formatCount(others)} ${wasOrWere(others)} not on the list.`;
  return mrkdwn`${stateIcons.done} *${pluralize(removed, 'number')} removed.*${notThere}`;
}

function wasOrWere(count: number): string {
  return count === 1 ? 'was' : 'were';
}
