import type { KnownBlock, ModalView } from '@slack/types';
import { type CsvColumn, csvFiles } from '../../../domain/csv/write-csv.ts';
import type { PhoneNumber } from '../../../domain/phone/phone-number.ts';
import { maxFileRows, readNumberList, readNumbersFile } from '../../../services/numbers/number-list.ts';
import type {
  AddSuppressedResult,
  SuppressedNumber,
} from '../../../services/suppression-list/suppression-list.ts';
import { context, loadingView, present, section } from '../../block-kit/build.ts';
import { describeSource } from '../../block-kit/descriptions/number.ts';
import { rejectedRowsBlocks } from '../../block-kit/descriptions/rejected-rows.ts';
import { clampText } from '../../block-kit/limits.ts';
import { formatCount, pluralize } from '../../block-kit/plural.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn, stripMarkup } from '../../block-kit/text.ts';
import type { InputFile } from '../../block-kit/view-state.ts';
import { withUserNames } from '../../client/user-names.ts';
import { tableFileField, textField } from '../../kit/fields.ts';
import { defineForm } from '../../kit/form.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { readDroppedFile } from '../../middleware/dropped-file.ts';
import { onExport } from '../../middleware/list-buttons.ts';
import type { User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { createRejectedRowsSender } from '../../notifier/rejected-rows-sender.ts';

export const suppressionListTitle = 'Do-not-contact list';
export const suppressionListActions = {
  add: 'do_not_contact_add',
  remove: 'do_not_contact_remove',
  import: 'do_not_contact_import',
  export: 'do_not_contact_export',
} as const;

/** Returns the list, with the outcome of the last action. */
type ShowAfter = (user: User, feedback: readonly KnownBlock[]) => Promise<ModalView>;

/** What changes the list by many numbers, pasted or in a file, and what writes it to a file. */
export function registerSuppressionForms(router: Router, app: AppContext, showAfter: ShowAfter): void {
  const { suppressionList } = app.services;
  const add = createPastedNumbersForm(app, showAfter, {
    id: 'do_not_contact_numbers',
    needs: 'use',
    submit: 'Add',
    note: mrkdwn`Campaigns skip the numbers from now on. Running campaigns skip any they haven’t sent to yet.`,
    change: async (user, numbers) =>
      addedText(await suppressionList.add({ ...user, numbers, source: { kind: 'typed' } })),
  });
  const remove = createPastedNumbersForm(app, showAfter, {
    id: 'do_not_contact_off',
    needs: 'administer',
    submit: 'Remove',
    note: mrkdwn`Campaigns can include these numbers again. Only remove people who agreed to get messages.`,
    change: async ({ workspaceId }, numbers) =>
      removedText(await suppressionList.remove(workspaceId, numbers), numbers.length),
  });
  const forms = [
    [suppressionListActions.add, 'use', add],
    [suppressionListActions.remove, 'administer', remove],
    [suppressionListActions.import, 'administer', createImportForm(app, showAfter)],
  ] as const;
  for (const [actionId, needs, form] of forms) {
    form.register(router);
    router.action(actionId, needs, async ({ user, view }) => {
      await view?.replace(await form.view(user, undefined));
    });
  }
  registerExport(router, app);
}

/** More than fit into the field. */
const maxPasted = 1_000;

interface PastedNumbers {
  id: string;
  needs: 'use' | 'administer';
  submit: 'Add' | 'Remove';
  note: Markup;
  /** Returns a sentence about the change. */
  change(user: User, numbers: PhoneNumber[]): Promise<Markup>;
}

function createPastedNumbersForm(
  { services: { workspaces } }: AppContext,
  showAfter: ShowAfter,
  { note, change, ...spec }: PastedNumbers,
) {
  return defineForm({
    ...spec,
    title: suppressionListTitle,
    fields: {
      numbers: textField(`Numbers to ${spec.submit.toLowerCase()}`, {
        multiline: true,
        focus: true,
        hint: 'Separated by commas, spaces or line breaks. About 200 fit here.',
      }),
    },
    below: () => [context(note)],
    async submitted({ user, form }) {
      const { country } = await workspaces.defaults(user.workspaceId);
      const read = await readNumberList({ typed: form.numbers }, { country, max: maxPasted });
      if (!read.ok) {
        return { faults: { numbers: Object.values(read.faults).join(' ') } };
      }
      const { numbers, rejected } = read.list;
      const feedback = [section(await change(user, numbers)), ...rejectedRowsBlocks(rejected)];
      return { view: await showAfter(user, feedback) };
    },
  });
}

/** How many numbers were added, and how many were on the list already. */
export function addedText({ added, alreadyListed: already }: AddSuppressedResult): Markup {
  if (added === 0) {
    return already === 1
      ? mrkdwn`:information_source: The number was on the list already.`
      : mrkdwn`:information_source: All ${formatCount(already)} numbers were on the list already.`;
  }
  const before = already === 0 ? '' : ` ${formatCount(already)} ${wasOrWere(already)} on the list already.`;
  return mrkdwn`${stateIcons.done} *${pluralize(added, 'number')} added.*${before}`;
}

export function removedText(removed: number, total: number): Markup {
  const others = total - removed;
  const notThere = others === 0 ? '' : ` ${formatCount(others)} ${wasOrWere(others)} not on the list.`;
  return mrkdwn`${stateIcons.done} *${pluralize(removed, 'number')} removed.*${notThere}`;
}

function wasOrWere(count: number): string {
  return count === 1 ? 'was' : 'were';
}

const maxBytes = 10_000_000;
/** Maximum length of a file or column name. */
const maxNameLength = 60;

/** The import of a file of numbers: it is read to its end before any of them is added. */
function createImportForm(app: AppContext, showAfter: ShowAfter) {
  const { suppressionList } = app.services;
  const title = 'CSV import';
  const sendRejectedRows = createRejectedRowsSender(app);
  return defineForm({
    id: 'do_not_contact_file',
    title,
    submit: 'Import',
    needs: 'administer',
    fields: {
      file: tableFileField(
        `A CSV file with a column of phone numbers, up to ${formatCount(maxFileRows)} rows.`,
      ),
    },
    below: () => [context(mrkdwn`Every number in the file is added to the list.`)],
    slow: {
      loading: loadingView(title, 'Reading the file…'),
      nothingDone: mrkdwn`*Nothing was imported.*`,
    },
    async submitted({ user, requestId, form }) {
      const file = await readDropped(app, user, form.file);
      if (!file.ok) {
        return { faults: { file: file.reason } };
      }
      const { id, name } = file.dropped;
      const { numbers, rejected, column, duplicates } = file.read;
      const added = await suppressionList.add({ ...user, numbers, source: { kind: 'file', name } });
      const key = JSON.stringify([requestId, id]);
      const skipped = { needed: 'administer', ...user, key, fileName: name, rejected } as const;
      const fileName = clampText(name, maxNameLength);
      const origin =
        column === undefined
          ? mrkdwn`From ${fileName}.`
          : mrkdwn`From the column *${clampText(column, maxNameLength)}* of ${fileName}.`;
      const notTwice = mrkdwn`${pluralize(duplicates, 'duplicate')} skipped.`;
      return {
        view: await showAfter(user, [
          section(addedText(added)),
          context(...present(origin, duplicates > 0 && notTwice)),
          ...rejectedRowsBlocks(rejected, await sendRejectedRows(skipped)),
        ]),
      };
    },
  });
}

async function readDropped(app: AppContext, { workspaceId }: User, dropped: InputFile | undefined) {
  if (dropped === undefined) {
    return { ok: false, reason: 'Upload a file.' } as const;
  }
  const { country } = await app.services.workspaces.defaults(workspaceId);
  const limits = { maxBytes, remedy: 'Remove other columns.' };
  const file = await readDroppedFile({ workspaceId, dropped }, limits, app, (content) =>
    readNumbersFile(content, country),
  );
  if (!file.ok) {
    return file;
  }
  return file.read.numbers.length === 0
    ? ({ ok: false, reason: 'No row of this file has a valid phone number.' } as const)
    : { ...file, dropped };
}

const columns: readonly CsvColumn<SuppressedNumber & { userName: string | undefined }>[] = [
  { title: 'Phone number', cell: ({ number }) => String(number ?? 'erased'), phoneNumbers: true },
  { title: 'Added (UTC)', cell: ({ createdAt }) => createdAt.toISOString() },
  { title: 'Added by', cell: ({ userName }) => userName ?? '' },
  { title: 'Slack user ID', cell: ({ createdBy }) => createdBy ?? '' },
  { title: 'How', cell: ({ source }) => stripMarkup(describeSource(source) ?? mrkdwn``) },
];

/** *Export as CSV*: the whole list as a direct message, for admins. */
function registerExport(router: Router, app: AppContext): void {
  onExport(router, app, suppressionListActions.export, {
    title: suppressionListTitle,
    exportOf({ user: { workspaceId } }) {
      const numbers = app.services.suppressionList.all(workspaceId);
      const rows = withUserNames(
        numbers,
        ({ createdBy }) => createdBy,
        (id) => app.userName(workspaceId, id),
      );
      return {
        entry: { action: 'suppression.export' },
        files: csvFiles({ name: 'do-not-contact', columns, rows }),
        comment: 'The do-not-contact list',
      };
    },
    count: (rows) => pluralize(rows, 'number'),
  });
}
