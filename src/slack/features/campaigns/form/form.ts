import type { ModalView } from '@slack/types';
import { idempotencyKey } from '../../../../domain/access/request-keys.ts';
import { senderFields } from '../../../../domain/messages/message-checks.ts';
import { toPlainText } from '../../../../domain/messages/plain-text.ts';
import { withTimeout } from '../../../../lib/time/timeout.ts';
import { Refusal } from '../../../../services/refusal.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import { readReading } from '../../../block-kit/descriptions/table-reading.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import { chosenTemplate, templateOptions } from '../../../kit/template-field.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { errorView, UserError } from '../../../middleware/errors.ts';
import type {
  ActionRequest,
  ShowModal,
  SubmissionRequest,
  SubmissionResponse,
  User,
} from '../../../middleware/requests.ts';
import type { Router } from '../../../middleware/router/router.ts';
import type { Navigation, Viewer } from '../../../navigation/navigation.ts';
import { openActions } from '../../../navigation/open-actions.ts';
import { campaignActions, campaignUser } from '../actions.ts';
import { beginImport, submitImport } from '../import.ts';
import { forMessages, messageDraftForm } from '../message.ts';
import { convertColumns, reviewAgain, showReview } from '../review/review.ts';
import { campaignReviewActions, reviewMetadata } from '../review/review-view.ts';
import { hasStart, readStartForm, type StartForm } from '../review/start-form.ts';
import { findCampaign } from '../status/campaign-status.ts';
import { countAudience, formOptions } from './form-options.ts';
import {
  audienceName,
  type CampaignFormInput,
  campaignFormErrors,
  campaignFormView,
  type FormMetadata,
  formActions,
  formCallback,
  formMetadata,
  importingRecipientsView,
  maxNameLength,
  readCampaignForm,
  replaceAction,
} from './form-view.ts';
import { type SavedForm, savedForms, savedStarts } from './saved-forms.ts';

/** The form of a campaign, up to its review, and back from there. */
export function registerCampaignForm(router: Router, context: AppContext): void {
  const ofMessages = forMessages(router, context);
  router.action(openActions.campaignForm, 'campaign', async ({ user, requestId, value, push }) => {
    const phonebookId = value === '' ? undefined : value;
    await push(await context.navigation.campaignForm(user, { requestId, phonebookId }));
  });

  for (const actionId of [...Object.values(formActions), replaceAction]) {
    router.action(actionId, 'campaign', (call) => updateForm(context, call, actionId));
  }
  router.options(formActions.template, 'campaign', (call) => templateOptions(context, call));

  router.submission(formCallback, 'campaign', (call) => submitForm(context, call));

  router.action(campaignReviewActions.reading, 'campaign', (call) => chooseReading(context, call));

  ofMessages.action(campaignReviewActions.replace, 'campaign', (call) =>
    importAgain(context, call, call.value, ({ form, ...saved }) => ({
      ...saved,
      form: { ...form, text: toPlainText(form.text), plainCells: true },
    })),
  );

  router.action(campaignReviewActions.convert, 'campaign', async (call) => {
    const campaign = await context.services.campaigns.find(campaignUser(call.user), call.value);
    await importAgain(context, call, call.value, ({ form, converted, ...saved }) => {
      const text = converted ?? (campaign && convertColumns(context, campaign, form.text).text);
      return { ...saved, form: { ...form, text: text ?? form.text } };
    });
  });

  ofMessages.action(campaignReviewActions.withoutAccents, 'campaign', (call) =>
    importAgain(context, call, call.value, ({ form, ...saved }) => ({
      ...saved,
      form: { ...form, withoutAccents: true },
    })),
  );

  ofMessages.action(campaignReviewActions.edit, 'campaign', (call) => edit(context, call));
  router.action(campaignActions.duplicate, 'campaign', (call) => duplicate(context, call));

  // Includes or excludes recipients who already got a follow-up.
  router.action(campaignReviewActions.followedUp, 'campaign', (call) =>
    importAgain(context, call, call.value, ({ form: { recipientsOf, ...form }, ...saved }) => ({
      ...saved,
      form: {
        ...form,
        recipientsOf: recipientsOf && {
          ...recipientsOf,
          includesFollowedUp: recipientsOf.includesFollowedUp !== true,
        },
      },
    })),
  );
}

/**
 * Creates the form of a new campaign: from the sender ID and on the route of the user’s last one. The first one begins on
 * the promotional route, whatever messages were sent on.
 */
export function createCampaignForm(context: Pick<AppContext, 'services'>): Navigation['campaignForm'] {
  return async (user, { requestId, origin, phonebookId }) => {
    const source = phonebookId === undefined ? 'file' : 'phonebook';
    const form = { ...(await emptyForm(context, user)), source, phonebookId } as const;
    return formView(context, user, form, { id: newId(user, requestId), origin });
  };
}

export const newId = ({ workspaceId }: Viewer, requestId: string) =>
  idempotencyKey(workspaceId, requestId, 'campaign');

async function emptyForm(
  { services: { workspaces, senderIds } }: Pick<AppContext, 'services'>,
  { workspaceId, userId }: Viewer,
): Promise<CampaignFormInput> {
  const [{ senderId }, last] = await Promise.all([
    workspaces.defaults(workspaceId),
    senderIds.lastUsed(workspaceId, userId),
  ]);
  return {
    source: 'file',
    pasted: '',
    route: last.campaignRoute ?? 'generic',
    senderId: last.campaignSenderId ?? last.senderId ?? senderId,
    device: last.device,
    text: '',
  };
}

const formView = async (
  context: Pick<AppContext, 'services'>,
  user: Viewer,
  form: CampaignFormInput,
  metadata: FormMetadata,
): Promise<ModalView> => campaignFormView(form, metadata, await formOptions(context, user, form, metadata));

/**
 * Shows a form. Where it goes to recipients of a campaign, their number is counted beside, and shown unless the user has acted
 * meanwhile.
 */
async function showForm(
  context: AppContext,
  user: User,
  { form, metadata, show }: { form: CampaignFormInput; metadata: FormMetadata; show: ShowModal },
): Promise<void> {
  const of = audienceName(form.audience);
  const options = await formOptions(context, user, form, metadata);
  const replace = await show(campaignFormView(form, metadata, options));
  if (form.source === 'campaign' && of !== undefined && of !== metadata.counted?.of) {
    const line = await countAudience(context, user, form, (counting) =>
      replace(campaignFormView(form, metadata, { ...options, counting })),
    );
    await replace(campaignFormView(form, { ...metadata, counted: { of, line } }, options));
  }
}

/** Returns the values that replace entered ones; undefined if all of them stay. */
async function replacementOf(
  context: AppContext,
  { user, value }: ActionRequest,
  { actionId, text }: { actionId: string; text: string },
): Promise<Partial<CampaignFormInput> | undefined> {
  if (actionId === replaceAction) {
    return { text: toPlainText(text) };
  }
  if (actionId !== formActions.template || value === '') {
    return undefined;
  }
  const template = await chosenTemplate(context, user, value);
  const { text: ofTemplate, withoutAccents, route } = template;
  return { text: ofTemplate, withoutAccents, route, ...senderFields(template) };
}

async function updateForm(context: AppContext, call: ActionRequest, actionId: string): Promise<void> {
  const { user, view } = call;
  if (view === undefined) {
    return;
  }
  const metadata = formMetadata.parse(view.metadata);
  const entered = readCampaignForm(await view.rememberedValues(), metadata);
  const replacement = await replacementOf(context, call, { actionId, text: entered.text });
  const form = { ...entered, ...replacement };
  if (replacement !== undefined) {
    metadata.replaced = (metadata.replaced ?? 0) + 1;
  }
  if (form.source !== 'file' && form.file !== undefined) {
    // Slack empties the file field when it is shown again, so the form names the file that it has.
    const saved = await savedForms.find(context, user, metadata.id);
    await savedForms.save(context, user, metadata.id, { form, ...saved, dropped: form.file });
    metadata.earlier = form.file.name;
  }
  await showForm(context, user, {
    form,
    metadata,
    async show(content) {
      await view.replace(content);
      return view.replace;
    },
  });
}

async function submitForm(
  context: AppContext,
  { user, values, metadata, beforeAckDeadline }: SubmissionRequest,
): Promise<SubmissionResponse> {
  const read = formMetadata.parse(metadata);
  const { id, origin, earlier, version } = read;
  const typed = readCampaignForm(values, read);
  const saved = await savedForms.find(context, user, id);
  const before = earlier === undefined ? undefined : (saved?.dropped ?? saved?.form.file);
  const form = { ...typed, file: typed.file ?? before };
  // A reading chosen on another form stays chosen if the rows are the same.
  const { source, file, pasted } = form;
  const hasSameRows =
    saved?.form.source === source && saved.form.file?.id === file?.id && saved.form.pasted === pasted;
  const reading = hasSameRows ? saved.reading : undefined;
  const imported = { form, reading, version };
  const result = await submitImport(context, user, id, imported, { origin, beforeAckDeadline });
  return 'faults' in result ? { errors: campaignFormErrors(result.faults, form) } : result;
}

/** In milliseconds: an import that takes no longer shows its review at once, with the values entered there. */
const maxWait = 1_500;

/** From a review: imports the recipients of its form with a change. */
async function importAgain(
  context: AppContext,
  call: ActionRequest,
  id: string,
  change: (saved: SavedForm) => SavedForm,
): Promise<void> {
  const { user, view } = call;
  const saved = await savedForms.find(context, user, id);
  if (saved === undefined) {
    return showFormLost(context, call);
  }
  const origin = originOf(call);
  // There is no review after a failed import.
  const shown = reviewMetadata.safeParse(view?.metadata).data ?? saved;
  const replace = await call.show(importingRecipientsView(0));
  const { result, markShown, follow } = beginImport(context, user, id, {
    ...change(saved),
    version: shown.version,
  });
  const early = await withTimeout(result, maxWait, () => undefined, context.timers);
  if (early?.kind === 'ready' && view !== undefined && hasStart(view.values)) {
    const start = readStartForm(view.values, origin);
    await replace(await showReview(context, user, early.review, origin, start));
    await markShown();
    return;
  }
  await follow(replace, origin);
}

/** Reads the list as the person chose, or goes on with the draft if it was read like that. */
async function chooseReading(context: AppContext, call: ActionRequest): Promise<void> {
  const { user, value, view } = call;
  const { id, reading } = readReading(value);
  const shown = reviewMetadata.safeParse(view?.metadata).data;
  const saved = await savedForms.find(context, user, id);
  const { readingReview } = saved ?? {};
  const isSame =
    readingReview !== undefined &&
    saved?.version === shown?.version &&
    readingReview.reading.titleLine === reading.titleLine &&
    readingReview.reading.column === reading.column;
  if (view === undefined || shown === undefined || saved === undefined || !isSame) {
    await importAgain(context, call, id, (before) => ({ ...before, reading }));
    return;
  }
  const { unsettled } = reading;
  const doubts = readingReview.doubts.filter((doubt) => unsettled.includes(doubt));
  await savedForms.save(context, user, id, {
    ...saved,
    reading,
    readingReview: { ...readingReview, doubts, unsettled },
  });
  await view.replace(await reviewAgain(context, user, shown, readStartForm(view.values, shown.origin)));
}

/** From a review back to its form. */
async function edit(context: AppContext, call: ActionRequest): Promise<void> {
  const { user, value: id, requestId, view } = call;
  const origin = originOf(call);
  const start = view && hasStart(view.values) ? readStartForm(view.values, origin) : undefined;
  const saved = await savedForms.find(context, user, id);
  const draft = await context.services.campaigns.find(campaignUser(user), id);
  if (draft?.isMessage && draft.createdBy === user.userId) {
    await call.show(await messageDraftForm(context, user, draft, { requestId, origin, start }));
    return;
  }
  // The draft that was read is gone once another one has taken its place; after a failed import it is still there.
  const isReplaced = saved?.form.recipientsOf?.which === 'draft' && draft !== undefined;
  if (saved === undefined || isReplaced) {
    await call.show(await draftForm(context, user, { id, requestId, origin, start }));
    return;
  }
  await savedForms.save(context, user, id, { ...saved, dropped: undefined });
  if (start !== undefined) {
    await savedStarts.save(context, user, id, start);
  }
  const { form, version = draft?.version } = saved;
  const offersPlainCells = form.plainCells === true;
  const metadata = { id, version, origin, earlier: form.file?.name, offersPlainCells };
  await showForm(context, user, { form, metadata, show: call.show });
}

/** Returns the channel that the form was opened from. */
function originOf({ view }: ActionRequest): string | undefined {
  const metadata = reviewMetadata.safeParse(view?.metadata);
  return metadata.success ? metadata.data.origin : undefined;
}

/** The review of a form that is no longer kept can still be started as it is. */
async function showFormLost(context: AppContext, { user, view, push }: ActionRequest): Promise<void> {
  const gone = 'This form has expired. Nothing was sent.';
  const metadata = reviewMetadata.safeParse(view?.metadata);
  if (view === undefined || !metadata.success) {
    throw new UserError(mrkdwn`${gone} Start over.`);
  }
  const form = readStartForm(view.values, metadata.data.origin);
  await view.replace(await reviewAgain(context, user, metadata.data, form));
  await push(errorView(mrkdwn`${gone} Send what the review shows, or start over.`));
}

/**
 * Returns the form of the user's own draft. Its review will be shown with `start`.
 *
 * @throws Refusal if there is no such draft
 */
export async function draftForm(
  context: AppContext,
  user: User,
  {
    id,
    requestId,
    origin,
    start,
  }: { id: string; requestId: string; origin: string | undefined; start: StartForm | undefined },
): Promise<ModalView> {
  const { campaigns } = context.services;
  const campaign = await campaigns.find(campaignUser(user), id);
  const found = await campaigns.findOfDraft({ ...campaignUser(user), id });
  if (campaign === undefined || found.kind === 'gone') {
    throw new Refusal({ kind: 'gone', what: 'review' });
  }
  if (campaign.isMessage) {
    return messageDraftForm(context, user, campaign, { requestId, origin, start });
  }
  const { source, recipients } = found;
  const { which, campaign: other } = source;
  // A draft that replaces this one gets its own id. A follow-up draft for the remaining recipients keeps its
  // id.
  const isNew = which === 'draft';
  const ownId = isNew ? newId(user, requestId) : id;
  if (start !== undefined) {
    await savedStarts.save(context, user, ownId, start);
  }
  const { name, version } = other;
  const form = filledIn(campaign, { recipientsOf: { id: other.id, which, name, recipients, version } });
  const shown = { version: isNew ? undefined : campaign.version, offersPlainCells: campaign.personal };
  return formView(context, user, form, { id: ownId, origin, ...shown });
}

/** *Duplicate* opens the form of the same campaign once more. */
async function duplicate(context: AppContext, call: ActionRequest): Promise<void> {
  const { user, value, requestId, push: show } = call;
  const campaign = await findCampaign(context, user, value);
  refuseDeleted(campaign);
  const to = { source: 'campaign', audience: { campaign: campaign.id, part: 'all' } } as const;
  const { name, personal: offersPlainCells, channelId: origin } = campaign;
  const isNamedCopy = name.endsWith(copyMark);
  const copyName = isNamedCopy ? name : `${name.slice(0, maxNameLength - copyMark.length)}${copyMark}`;
  const form = filledIn({ ...campaign, name: copyName }, to);
  await showForm(context, user, {
    form,
    metadata: { id: newId(user, requestId), origin, offersPlainCells },
    show,
  });
}

/** @throws UserError once retention has deleted the campaign's recipients and texts */
export function refuseDeleted({ text }: Campaign): void {
  if (text === undefined) {
    throw new UserError(
      mrkdwn`This campaign’s numbers and texts have been deleted: their retention time is over.`,
    );
  }
}

const copyMark = ' (copy)';

/** Returns a form to recipients that another campaign has, filled in from what the database has of a campaign. */
export function filledIn(
  { name, route, senderId, text = '', withoutAccents }: Campaign,
  to: Pick<CampaignFormInput, 'recipientsOf'> | Pick<CampaignFormInput, 'source' | 'audience'>,
): CampaignFormInput {
  return {
    source: 'file',
    pasted: '',
    route,
    senderId,
    device: route === 'chatapp' ? senderId : undefined,
    text,
    withoutAccents,
    name: name.slice(0, maxNameLength).toWellFormed(),
    ...to,
  };
}
