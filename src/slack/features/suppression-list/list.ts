import type { KnownBlock, ModalView, SectionBlock } from '@slack/types';
import { type PhoneNumber, phoneNumberSchema, toE164 } from '../../../domain/phone/phone-number.ts';
import { readNumber } from '../../../domain/phone/read-number.ts';
import type { SuppressedNumber } from '../../../services/suppression-list/suppression-list.ts';
import { actions, button, confirmDialog, context, lines, present, section } from '../../block-kit/build.ts';
import { describeAddition, describeSource } from '../../block-kit/descriptions/number.ts';
import { cursorPages } from '../../block-kit/paging.ts';
import { formatCount, pluralize } from '../../block-kit/plural.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn, timeFor, userMention } from '../../block-kit/text.ts';
import { textField } from '../../kit/fields.ts';
import { byCursor, defineList } from '../../kit/list.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import type { Router } from '../../middleware/router/router.ts';
import type { Viewer } from '../../navigation/navigation.ts';
import { openActions } from '../../navigation/open-actions.ts';
import {
  addedText,
  registerSuppressionForms,
  removedText,
  suppressionListActions,
  suppressionListTitle,
} from './forms.ts';

const addThisAction = 'do_not_contact_add_this';
const removeThisAction = 'do_not_contact_remove_this';
const numbersPerPage = 40;

/** The opted-out numbers: every user may add, only admins may remove, import and export. */
export function registerSuppressionList(router: Router, context: AppContext): void {
  const { suppressionList } = context.services;
  const list = createSuppressionList(context);
  const first = list.start({}, undefined);
  const showAfter = (viewer: Viewer, feedback: readonly KnownBlock[]) =>
    list.view(viewer, first, { feedback });

  list.register(router);
  registerSuppressionForms(router, context, showAfter);
  router.action(openActions.suppressionList, 'look_up', ({ open, user }) =>
    list.show(open, user, {}, undefined),
  );

  router.action(addThisAction, 'use', async ({ user, value, view }) => {
    const numbers = [phoneNumberSchema.parse(value)];
    const added = await suppressionList.add({ ...user, numbers, source: { kind: 'typed' } });
    await view?.replace(await showAfter(user, [section(addedText(added))]));
  });

  router.action(removeThisAction, 'administer', async ({ user, value, view }) => {
    const removed = await suppressionList.remove(user.workspaceId, [phoneNumberSchema.parse(value)]);
    const { position } = list.stateOf(view?.metadata);
    const feedback = [section(removedText(removed, 1))];
    await view?.replace(await list.view(user, { ...first, position }, { feedback }));
  });
}

/** Creates the function that returns the list, and whether the number that was typed is on it. */
export function createSuppressionListView(context: Pick<AppContext, 'services'>) {
  const list = createSuppressionList(context);
  return (viewer: Viewer, { typed }: { typed: string }): Promise<ModalView> =>
    list.view(viewer, list.start({ number: typed }, undefined));
}

/** The workspace's list, with numbers in full: only the user sees it. Only admins can remove, import and export. */
function createSuppressionList(app: Pick<AppContext, 'services'>) {
  const { suppressionList } = app.services;
  return defineList({
    id: 'do_not_contact',
    title: suppressionListTitle,
    submit: 'Check',
    needs: 'look_up',
    fields: {
      number: textField('Check a number', {
        max: 40,
        placeholder: '+234 803 123 4567',
        live: 'enter',
        optional: true,
      }),
    },
    paging: byCursor,
    async read(viewer, { form, position }) {
      const { workspaceId, permissions } = viewer;
      const [count, page, checked] = await Promise.all([
        suppressionList.count(workspaceId),
        suppressionList.page(workspaceId, { after: position.after || undefined, limit: numbersPerPage }),
        checkNumber(app, viewer, form.number),
      ]);
      const isAdmin = permissions.has('administer');
      const { add, remove, import: importFile, export: exportAll } = suppressionListActions;
      // The list may change between reading its page and counting it.
      const last = page.before + page.numbers.length;
      const all = Math.max(last, count);
      const range = mrkdwn`${formatCount(page.before + 1)}–${formatCount(last)} of ${formatCount(all)}`;
      return {
        above: [
          section(
            mrkdwn`*${pluralize(count, 'number')}* on this workspace’s list. Campaigns skip these numbers. Messages to them show a warning first.`,
          ),
          ...checked,
          actions(
            'do_not_contact_change',
            ...present(
              button(add, 'Add numbers'),
              isAdmin && button(remove, 'Remove numbers'),
              isAdmin && button(importFile, 'Import a CSV'),
              isAdmin && count > 0 && button(exportAll, 'Export as CSV'),
            ),
          ),
        ],
        rows: isAdmin
          ? page.numbers.map((listed) => section(line(listed), listed.number && removeButton(listed.number)))
          : lines(page.numbers.map(line)),
        empty: mrkdwn`No numbers yet.`,
        about: page.before === 0 && page.next === undefined ? undefined : range,
        neighbours: cursorPages(position, page.next),
      };
    },
    below: ({ permissions }) =>
      permissions.has('administer') ? [] : [context(mrkdwn`Only admins can remove numbers.`)],
  });
}

/** Returns whether a number that was typed is on the list. */
async function checkNumber(
  { services: { suppressionList, workspaces } }: Pick<AppContext, 'services'>,
  { workspaceId, permissions }: Viewer,
  typed: string,
): Promise<SectionBlock[]> {
  const text = typed.trim();
  if (text === '') {
    return [];
  }
  const { country } = await workspaces.defaults(workspaceId);
  const read = readNumber(text, country);
  if (!read.ok) {
    return [section(mrkdwn`${stateIcons.failed} “${text}” ${read.reason}.`)];
  }
  const { number } = read;
  const shown = mrkdwn`*${number}*`;
  const listed = (await suppressionList.find(workspaceId, [number])).get(number);
  const add = button(addThisAction, 'Add', { value: toE164(number), label: mrkdwn`Add ${number}` });
  return [
    listed === undefined
      ? section(mrkdwn`${stateIcons.done} ${shown} is not on the list.`, add)
      : section(
          mrkdwn`:no_entry_sign: ${shown} has been on the list ${describeAddition(listed)}.`,
          permissions.has('administer') ? removeButton(number) : undefined,
        ),
  ];
}

function line({ number, createdBy, createdAt, source }: SuppressedNumber): Markup {
  const who = createdBy === undefined ? '' : mrkdwn` · ${userMention(createdBy)}`;
  const how = describeSource(source);
  return mrkdwn`${[
    number === undefined ? mrkdwn`_An erased number_` : mrkdwn`\`${number}\``,
    mrkdwn`${timeFor(createdAt)}${who}${how && mrkdwn` · ${how}`}`,
  ]}`;
}

function removeButton(number: PhoneNumber) {
  return button(removeThisAction, 'Remove', {
    value: toE164(number),
    label: mrkdwn`Remove ${number}`,
    confirm: confirmDialog({
      title: 'Remove from list?',
      text: mrkdwn`Campaigns can include ${number} again.`,
      yes: 'Remove',
      no: 'Keep',
      danger: true,
    }),
  });
}
