import type { KnownBlock, ModalView } from '@slack/types';
import { ownId } from '../../../domain/access/ownership.ts';
import type { CampaignFaults } from '../../../services/campaigns/import/campaign-form.ts';
import type { CampaignImport } from '../../../services/campaigns/import/campaign-imports.ts';
import {
  isRest,
  type RecipientSource,
  restId,
} from '../../../services/campaigns/import/recipient-sources.ts';
import type { ImportFaults } from '../../../services/campaigns/import/write-recipients.ts';
import type { Notice } from '../../../store/outbox/notices.ts';
import { actions, button, notice, section } from '../../block-kit/build.ts';
import { readingBlocks } from '../../block-kit/descriptions/table-reading.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { SlackContext } from '../../client/slack-context.ts';
import { sendWithoutAccents } from '../../kit/fields.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { FileDownloadError, refuseLargeFile, streamDroppedFile } from '../../middleware/dropped-file.ts';
import { addToRefusal } from '../../middleware/explain-refusal.ts';
import { findPhonebook } from '../../middleware/find-phonebook.ts';
import type {
  FieldErrors,
  ReplaceView,
  SubmissionRequest,
  SubmissionResponse,
} from '../../middleware/requests.ts';
import type { Viewer } from '../../navigation/navigation.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { createUserNotices } from '../../notifier/notices.ts';
import { showProgress } from '../../notifier/progress.ts';
import { campaignUser } from './actions.ts';
import { chosenAudience } from './form/audience-fields.ts';
import { type CampaignFormInput, campaignFormSchema, importingRecipientsView } from './form/form-view.ts';
import { type SavedForm, savedForms } from './form/saved-forms.ts';
import { showReview } from './review/review.ts';
import { campaignReviewActions, importedMessage, includeFollowedUpButton } from './review/review-view.ts';
import { statusView } from './status/campaign-status.ts';

/** A form whose recipients are imported. `version`: the draft that the person saw and replaces. */
type ImportedForm = Pick<SavedForm, 'form' | 'reading' | 'version'>;

/** Minimum time between two row counts that are shown, in milliseconds. */
const minShowInterval = 1_000;

/**
 * Imports the recipients of a submitted form, and shows how that ended: its review, or faults beside its fields where those
 * are found at once.
 */
export async function submitImport(
  context: AppContext,
  user: Viewer,
  id: string,
  imported: ImportedForm,
  {
    origin,
    beforeAckDeadline,
  }: { origin: string | undefined } & Pick<SubmissionRequest, 'beforeAckDeadline'>,
): Promise<{ faults: CampaignFaults } | Exclude<SubmissionResponse, { errors: FieldErrors }>> {
  const { result, markShown, follow } = beginImport(context, user, id, imported);
  const early = await beforeAckDeadline(result);
  if (early !== undefined) {
    await beforeAckDeadline(markShown());
  }
  if (early?.kind === 'faults' && !hasRemedy(early)) {
    return { faults: early.faults };
  }
  if (early !== undefined) {
    return { view: await importedView(context, user, id, early, origin) };
  }
  return {
    view: importingRecipientsView(0),
    background: async (show) => {
      await follow(show, origin);
      return undefined;
    },
  };
}

/** Begins the import of a form's recipients, which may take long. */
export function beginImport(context: AppContext, user: Viewer, id: string, imported: ImportedForm) {
  const { elapsed } = context.time;
  const { outbox } = context.store;
  const { workspaceId, userId } = user;
  let onRows: (rows: number) => void = () => {};
  const result = importRecipients(context, user, id, imported, (rows) => onRows(rows)).catch(
    addToRefusal('Nothing was read.'),
  );
  const { recipientsOf: of } = imported.form;
  const subjectId = of !== undefined && isRest(of.which) ? restId(of.id, of.which) : ownId(userId, id);
  const key = { workspaceId, subject: 'import', subjectId } as const;
  return {
    result,
    /** Called if the result is shown elsewhere. */
    async markShown(): Promise<void> {
      const log = (err: unknown) =>
        context.log.warn({ err }, 'an import whose result was shown may be announced again');
      await outbox.deliver(key, async () => {}).catch(log);
    },
    /** Shows the row count, then the result. A user who has closed the view gets the result as a message. */
    async follow(show: ReplaceView, origin: string | undefined): Promise<void> {
      let shownAt = elapsed();
      const progress = showProgress(
        (rows) => show(importingRecipientsView(rows)),
        1,
        Number.POSITIVE_INFINITY,
      );
      onRows = (rows) => {
        if (elapsed() - shownAt > minShowInterval) {
          shownAt = elapsed();
          progress.report(rows);
        }
      };
      const ended = await result.finally(progress.settled);
      const text =
        ended.kind === 'ready'
          ? importedMessage(ended.review.campaign)
          : ended.kind === 'faults'
            ? message(mrkdwn`${faultsTitle(ended)}.`, faultBlocks(id, ended))
            : undefined;
      let isTold = false;
      const tell = async () => {
        isTold = true;
        return show(await importedView(context, user, id, ended, origin));
      };
      if (text !== undefined) {
        // If nothing was stored, there is no notice yet.
        await outbox.add({ ...key, userId });
        await createUserNotices(context, async () => ((await tell()) ? undefined : text))(key);
      }
      if (!isTold) {
        await tell();
      }
    },
  };
}

async function importRecipients(
  context: AppContext,
  user: Viewer,
  id: string,
  imported: ImportedForm,
  onProgress: (rows: number) => void,
): Promise<CampaignImport> {
  const { form, reading } = imported;
  const recipients = await sourceOf(context, user, form);
  if ('reason' in recipients) {
    return { kind: 'faults', faults: { recipients: recipients.reason } };
  }
  const { workspaceId, userId } = user;
  const { name, text, route, senderId, device, plainCells, withoutAccents, isMessage, bySlackbot } = form;
  const saved = await savedForms.find(context, user, id);
  // A form that is submitted again replaces the draft created from it.
  const ownDraft = saved !== undefined && isSameForm(saved, imported) ? saved.version : undefined;
  try {
    const result = await context.services.campaigns.importRecipients({
      workspaceId,
      userId,
      id: ownId(userId, id),
      source: recipients.source,
      form: { name, text, route, senderId, device, plainCells, withoutAccents, isMessage, bySlackbot },
      shownVersion: ownDraft ?? imported.version,
      isAwaited: true,
      reading,
      onProgress,
    });
    // Keep nothing for a draft that is gone, because its workspace may be too. The form of another draft
    // stays.
    if (result.kind !== 'faults' || !(result.isGone || result.isOfAnother)) {
      const version = result.kind === 'ready' ? result.review.campaign.version : undefined;
      const { readingReview, followedUp } = result.kind === 'started' ? {} : result;
      const accents = result.kind === 'ready' ? result.accents : undefined;
      const converted = result.kind === 'faults' ? result.converted : undefined;
      const saving = { form, version, readingReview, reading, followedUp, accents, converted };
      await savedForms.save(context, user, id, saving);
    }
    return result;
  } catch (error) {
    if (!(error instanceof FileDownloadError)) {
      throw error;
    }
    context.log.warn({ err: error }, 'a dropped file could not be fetched');
    const reason = context.stopping.aborted
      ? 'Switchboard was restarted. Upload the file again.'
      : (error.reason ?? 'Slack did not deliver all of this file. Upload it again.');
    return { kind: 'faults', faults: { recipients: reason } };
  }
}

function isSameForm(one: ImportedForm, other: ImportedForm): boolean {
  const contentOf = ({ form, reading }: ImportedForm) =>
    JSON.stringify([campaignFormSchema.parse(form), reading]);
  return contentOf(one) === contentOf(other);
}

/** Returns the view of how an import ended: the review, unless something went wrong or the campaign was started meanwhile. */
async function importedView(
  context: AppContext,
  user: Viewer,
  id: string,
  result: CampaignImport,
  origin: string | undefined,
): Promise<ModalView> {
  switch (result.kind) {
    case 'ready':
      return showReview(context, user, result.review, origin);
    case 'started':
      return statusView(context, result.campaign);
    case 'faults':
      return notice(faultsTitle(result), ...faultBlocks(id, result));
  }
}

/** Whether the faults are shown with what may be done about them, besides an edit of the form. */
function hasRemedy({ isReplaceable, isAccented, ...others }: ImportFaults): boolean {
  const { followedUp, readingReview, converted } = others;
  return (
    isReplaceable === true ||
    isAccented === true ||
    [followedUp, readingReview, converted].some((remedy) => remedy !== undefined)
  );
}

/** Nothing went wrong where everyone already got a follow-up. */
function faultsTitle({ followedUp }: ImportFaults): string {
  return followedUp === undefined ? 'Import failed' : 'No recipients left';
}

function faultBlocks(
  id: string,
  { faults, isReplaceable, isAccented, followedUp, readingReview, converted }: ImportFaults,
): KnownBlock[] {
  return [
    section(mrkdwn`${followedUp === undefined ? mrkdwn`*Import failed.* ` : ''}${Object.values(faults)}`),
    ...(readingReview === undefined
      ? []
      : readingBlocks({ ...readingReview, doubts: [] }, campaignReviewActions.reading, id)),
    actions(
      'edit',
      ...(converted === undefined
        ? []
        : [button(campaignReviewActions.convert, 'Convert columns', { value: id })]),
      ...(isReplaceable
        ? [button(campaignReviewActions.replace, 'Replace with plain text', { value: id })]
        : []),
      ...(isAccented
        ? [button(campaignReviewActions.withoutAccents, sendWithoutAccents, { value: id })]
        : []),
      ...(followedUp === undefined ? [] : [includeFollowedUpButton(id, followedUp)]),
      button(campaignReviewActions.edit, 'Edit', { value: id }),
    ),
  ];
}

const maxBytes = 200_000_000;

type FoundSource = { source: RecipientSource } | { reason: string };

/** Finds the source of the recipients that a form names, or the reason why it can't be used. */
async function sourceOf(context: AppContext, user: Viewer, form: CampaignFormInput): Promise<FoundSource> {
  const { campaigns, phonebooks } = context.services;
  if (form.recipientsOf !== undefined) {
    const { id, which, version, includesFollowedUp = false } = form.recipientsOf;
    const request = { ...campaignUser(user), id };
    const draft = which === 'draft' ? await campaigns.findOfDraft(request) : undefined;
    const source =
      which === 'draft'
        ? draft?.kind === 'found' && draft.source
        : await campaigns.findFollowUp({ ...request, group: which, includesFollowedUp });
    if (!source) {
      return {
        reason: 'These recipients are gone: the campaign was started, discarded or deleted in the meantime.',
      };
    }
    // The statement that replaces a draft requires the version from when the form was opened.
    return { source: { ...source, campaign: { ...source.campaign, version } } };
  }
  switch (form.source) {
    case 'pasted':
      return { source: { kind: 'pasted', text: form.pasted } };
    case 'phonebook': {
      const { id, name } = await findPhonebook(phonebooks, user, form.phonebookId);
      return { source: { kind: 'phonebook', id, name } };
    }
    case 'campaign': {
      const chosen = chosenAudience(form.audience);
      const found = chosen && (await campaigns.findAudience(campaignUser(user), chosen));
      return found?.ok === true ? found : { reason: found?.reason ?? 'Choose a campaign.' };
    }
    case 'file': {
      const { file } = form;
      if (file === undefined) {
        return { reason: 'Upload a file.' };
      }
      const reason = refuseLargeFile(file, { maxBytes, remedy: 'Split the file.' });
      if (reason !== undefined) {
        return { reason };
      }
      const { id, name, size } = file;
      const { files, stopping: signal } = context;
      const { workspaceId } = user;
      const open = () => streamDroppedFile(files, { workspaceId, file }, { maxBytes, signal });
      return { source: { kind: 'file', id, name, size, open } };
    }
  }
}

/**
 * Tells a user how their import ended if the program stopped before they saw it. It has a title if nothing is
 * left of the import. Undefined if the campaign is no longer a draft.
 */
export const createImportMessage =
  ({ services }: SlackContext) =>
  async ({ workspaceId, subjectId, title }: Notice): Promise<SlackMessage | undefined> => {
    if (title !== undefined) {
      return interruptedImportMessage(title);
    }
    const campaign = await services.campaigns.findAny(workspaceId, subjectId);
    return campaign?.state === 'ready' ? importedMessage(campaign) : undefined;
  };

/** @param title empty for a message for later */
export function interruptedImportMessage(title: string): SlackMessage {
  if (title === '') {
    const text = mrkdwn`:warning: *Your scheduled message was interrupted.* Switchboard restarted. Nothing was sent or scheduled. Write it again.`;
    return message(text, [section(text), actions('import', button(openActions.messageForm, 'New message'))]);
  }
  const text = mrkdwn`:warning: *Import of ${title} interrupted.* Switchboard restarted. Nothing was sent. Import the list again.`;
  return message(text, [section(text), actions('import', button(openActions.campaignForm, 'New campaign'))]);
}
