import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import { type CsvColumn, csvFiles } from '../../domain/csv/write-csv.ts';
import { type PhoneNumber, phoneNumberSchema, toE164 } from '../../domain/phone/phone-number.ts';
import { readNumber } from '../../domain/phone/read-number.ts';
import { sortableTime } from '../../domain/time/start-time.ts';
import type { ErasureReview } from '../../store/erasure/erasure.ts';
import type { ErasureCounts } from '../../store/erasure/erasure-context.ts';
import type { Holding } from '../../store/erasure/holdings.ts';
import {
  button,
  context as contextBlock,
  divider,
  loadingView,
  notice,
  present,
  section,
} from '../block-kit/build.ts';
import { capitalize, countCampaigns, pluralize } from '../block-kit/plural.ts';
import { stateIcons } from '../block-kit/state-icons.ts';
import { type Markup, mrkdwn } from '../block-kit/text.ts';
import { withUserNames } from '../client/user-names.ts';
import { textField } from '../kit/fields.ts';
import { defineForm } from '../kit/form.ts';
import type { AppContext } from '../middleware/app-context.ts';
import { onExport } from '../middleware/list-buttons.ts';
import type { Router } from '../middleware/router/router.ts';
import { openActions } from '../navigation/open-actions.ts';
import { kindWords, stateWords } from '../notifier/history-line.ts';

const title = 'Personal data';
const exportAction = 'person_export';

/** *Personal data*, for admins: exports everything stored about a phone number, or erases it, once they have seen what will go. */
export function registerErasure(router: Router, context: AppContext): void {
  const { services, userName } = context;
  const { erasure, workspaces } = services;
  const confirmation = defineForm({
    id: 'erase_person_confirm',
    title,
    submit: 'Erase',
    needs: 'administer',
    fields: {},
    meta: z.object({ number: phoneNumberSchema }),
    load: ({ workspaceId }, { number }) => erasure.find(workspaceId, number),
    above: ({ meta, data }) => whatGoes(meta.number, data),
    submitted: async ({ user: { workspaceId, userId }, meta: { number } }) => ({
      view: loadingView(title, 'Searching everything for the number. You can close this window.'),
      background: async () => {
        const result = await erasure.erase({ workspaceIds: [workspaceId], number, userId });
        return notice(title, ...(result.isComplete ? erased(result.counts) : [unfinished]));
      },
    }),
  });

  const form = defineForm({
    id: 'erase_person',
    title,
    submit: 'Continue',
    needs: 'administer',
    fields: {
      number: textField('Phone number', {
        max: 40,
        focus: true,
        hint: 'You see the stored data before you export or erase it.',
      }),
    },
    async submitted({ user, form }) {
      const typed = form.number.trim();
      const { country } = await workspaces.defaults(user.workspaceId);
      const read = readNumber(typed, country);
      return read.ok
        ? { view: await confirmation.view(user, { number: read.number }) }
        : { faults: { number: `“${typed}” ${read.reason}.` } };
    },
  });

  onExport(router, context, exportAction, {
    title,
    exportOf({ user: { workspaceId, zone }, value }) {
      const number = phoneNumberSchema.parse(value);
      const rows = withUserNames(
        services.holdings(workspaceId, number),
        ({ userId }) => userId,
        (id) => userName(workspaceId, id),
      );
      return {
        entry: { action: 'person.export', subject: number },
        files: csvFiles({ name: 'person', columns: columnsFor(zone), rows }),
        comment: 'Everything that Switchboard stores about the person, for you alone',
      };
    },
    count: (rows) => pluralize(rows, 'row'),
  });

  confirmation.register(router);
  form.register(router);
  router.action(openActions.erasure, 'administer', async ({ user, push }) => {
    await push(await form.view(user, undefined));
  });
}

const stateNames: Readonly<Record<string, string>> = {
  ...stateWords,
  waiting: 'Waiting',
  claimed: 'Sending',
  stop: 'Opted out',
  start: 'Opted back in',
};

/** `accepted, DELIVERED` in the words of the history: *Sent, DELIVERED*. */
const withStateWord = (outcome: string) => outcome.replace(/^\w+/, (state) => stateNames[state] ?? state);

const columnsFor = (zone: string): readonly CsvColumn<Holding & { userName?: string | undefined }>[] => [
  { title: 'What', cell: ({ what }) => kindWords[what] ?? capitalize(what.replaceAll('_', ' ')) },
  { title: `Time (${zone})`, cell: ({ at }) => (at === undefined ? '' : sortableTime(at, zone)) },
  { title: 'Who', cell: ({ userName, userId }) => userName ?? userId ?? '' },
  {
    title: 'Outcome',
    cell: ({ what, outcome = '' }) => (what === 'audit' ? outcome : withStateWord(outcome)),
  },
  { title: 'Text', cell: ({ text }) => text ?? '', phoneNumbers: true },
];

/** The data that an erasure removes, and the data that stays. */
function whatGoes(number: PhoneNumber, { operations, campaigns, isListed }: ErasureReview): KnownBlock[] {
  return [
    section(
      mrkdwn`Export everything stored about *${number}* as a file, if they ask for it. Only you get it.`,
      button(exportAction, 'Export', { value: toE164(number), label: 'Export everything stored' }),
    ),
    divider(),
    section(mrkdwn`Erasing removes *${number}* from everything that Switchboard stores for this workspace:`),
    section(
      bulletList(
        operations > 0 &&
          mrkdwn`${pluralize(operations, 'message or other entry', 'messages and other entries')} in the history: the number and the text`,
        campaigns > 0 &&
          mrkdwn`${countCampaigns(campaigns)}: the recipient, and rows of the file that contain the number`,
        mrkdwn`Drafts, codes, uploads and preferences that contain it`,
      ),
    ),
    ...present(
      campaigns > 0 && contextBlock(mrkdwn`Whatever hasn’t been sent to the number yet will skip it.`),
    ),
    whatStays(isListed),
    section(mrkdwn`${stateIcons.unconfirmed} Erasing can’t be undone.`),
  ];
}

/** What was erased, and what stays where. */
function erased(counts: ErasureCounts): KnownBlock[] {
  const { operations, texts, recipients, skipped, rows, values, listed, keptTexts } = counts;
  const removed = bulletList(
    operations > 0 && mrkdwn`${pluralize(operations, 'entry', 'entries')} of the history`,
    texts > 0 && mrkdwn`${pluralize(texts, 'message text')}`,
    recipients > 0 && mrkdwn`A recipient in ${countCampaigns(recipients)}`,
    rows > 0 && mrkdwn`${pluralize(rows, 'row')} of files`,
    values > 0 && mrkdwn`${pluralize(values, 'draft, code or preference', 'drafts, codes and preferences')}`,
  );
  const isNothing = removed.source === '';
  const what = isNothing ? 'Switchboard has nothing stored about this number.' : 'The number is erased.';
  return present<KnownBlock>(
    section(mrkdwn`${stateIcons.done} *${what}*`),
    !isNothing && section(removed),
    skipped > 0 && contextBlock(mrkdwn`${countCampaigns(skipped)} will skip the number.`),
    keptTexts > 0 &&
      section(
        mrkdwn`${stateIcons.unconfirmed} The number is in ${pluralize(keptTexts, 'text')} still to be sent. Erase it again once the campaigns or scheduled messages with it have ended.`,
      ),
    whatStays(listed > 0),
  );
}

/** Shown where the program stops meanwhile. */
const unfinished = section(
  mrkdwn`${stateIcons.unconfirmed} *Not finished.* Switchboard is being restarted. The erasure continues automatically.`,
);

function bulletList(...items: readonly (Markup | false)[]): Markup {
  return mrkdwn`${present(...items).map((item) => mrkdwn`• ${item}`)}`;
}

function whatStays(isListed: boolean): KnownBlock {
  const lines = present(
    isListed && mrkdwn`The number stays on the do-not-contact list, as a fingerprint.`,
    mrkdwn`Messages and files in Slack, and the provider’s records and phonebooks, are not erased.`,
    mrkdwn`The audit log keeps masked numbers.`,
  );
  return contextBlock(...lines);
}
