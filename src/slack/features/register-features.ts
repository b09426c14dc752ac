import type { AppContext } from '../middleware/app-context.ts';
import type { Router } from '../middleware/router/router.ts';
import type { Navigation, ToolContent } from '../navigation/navigation.ts';
import type { OutcomeRenderers } from '../notifier/outcome.ts';
import { approvalView } from './approvals/approval-view.ts';
import { registerApprovals } from './approvals/listeners.ts';
import { registerAudit } from './audit/audit.ts';
import { createCampaignList, createCampaignProgress, registerCampaigns } from './campaigns/campaigns.ts';
import { createCampaignDraft } from './campaigns/draft.ts';
import { createCampaignForm } from './campaigns/form/form.ts';
import { createMessageSchedule } from './campaigns/message.ts';
import { describeTest } from './campaigns/review/preflight.ts';
import { registerContacts } from './contacts/contacts.ts';
import { contactOutcomes } from './contacts/outcomes.ts';
import { registerCosts } from './costs/balance.ts';
import { registerErasure } from './erasure.ts';
import { registerEsims } from './esims/listeners.ts';
import { createPlanOffers } from './esims/offers.ts';
import { esimRenderers } from './esims/orders.ts';
import { createStatusAnswer, registerEsimStatus } from './esims/status.ts';
import { conversationWith, createHistoryList } from './history/history-list.ts';
import { registerHistory } from './history/listeners.ts';
import { createHomeRefresh, registerHome } from './home/home.ts';
import { registerLimits } from './limits.ts';
import { createMessageForm } from './messages/compose.ts';
import { createMessageDraft, registerSms } from './messages/listeners.ts';
import { describeSms } from './messages/outcome-view.ts';
import { createMessageReview } from './messages/review.ts';
import { createSharedCheck, registerDndCheck } from './numbers/dnd-check.ts';
import { createNumberCards } from './numbers/look-up.ts';
import { registerNumber } from './numbers/number.ts';
import { codeRenderers, registerOtp } from './otp/send.ts';
import { createReplyForm, registerReplies } from './replies/listeners.ts';
import { describeStop } from './replies/thread-view.ts';
import { registerReports } from './reports.ts';
import { registerRoles } from './roles.ts';
import { registerSenderIds, senderIdOutcome } from './sender-ids.ts';
import { registerSettings } from './settings/settings.ts';
import { draftTools } from './slackbot/draft-tools.ts';
import { readTools } from './slackbot/read-tools.ts';
import { createSuppressionListView, registerSuppressionList } from './suppression-list/list.ts';
import { createTemplateList, registerTemplates } from './templates/templates.ts';
import { registerWatchers } from './watchers/watchers.ts';

/** Registers what every feature handles, and puts together how one opens the views of another. Returns what each is given. */
export function registerFeatures(
  router: Router,
  parts: Omit<AppContext, 'navigation' | 'outcomeRenderers'>,
): AppContext {
  const withRenderers = { ...parts, outcomeRenderers };
  const context: AppContext = { ...withRenderers, navigation: createNavigation(withRenderers) };
  registerSms(router, context);
  registerCampaigns(router, context);
  registerOtp(router, context);
  registerDndCheck(router, context);
  registerNumber(router, context);
  registerSenderIds(router, context);
  registerContacts(router, context);
  registerEsims(router, context);
  registerEsimStatus(router, context);
  registerHistory(router, context);
  registerSuppressionList(router, context);
  registerApprovals(router, context);
  registerAudit(router, context);
  registerErasure(router, context);
  registerSettings(router, context);
  registerRoles(router, context);
  registerLimits(router, context);
  registerCosts(router, context);
  registerReports(router, context);
  registerReplies(router, context);
  registerTemplates(router, context);
  registerWatchers(router, context);
  registerHome(router, context);
  const toolContent: ToolContent = {
    checkNumbers: createSharedCheck(context),
    numberCard: createNumberCards(context).message,
    campaignProgress: createCampaignProgress(context),
    campaignDraft: createCampaignDraft(context),
    esimStatus: createStatusAnswer(context),
    ...createPlanOffers(context),
    messageDraft: createMessageDraft(context),
  };
  for (const tool of [...readTools(context, toolContent), ...draftTools(context, toolContent)]) {
    router.tool(tool);
  }
  return context;
}

function createNavigation(context: Omit<AppContext, 'navigation'>): Navigation {
  const conversation: Navigation['conversation'] = (viewer, number) =>
    conversationWith(context, viewer, number);
  const history = createHistoryList(context);
  const messageReview = createMessageReview(context);
  const scheduleMessage: Navigation['scheduleMessage'] = (...message) =>
    createMessageSchedule({ ...context, navigation })(...message);
  const navigation: Navigation = {
    messageForm: createMessageForm({ ...context, navigation: { scheduleMessage } }),
    scheduleMessage,
    messageReview,
    replyForm: createReplyForm({ ...context, navigation: { messageReview } }),
    numberCard: createNumberCards({ ...context, navigation: { conversation } }).view,
    campaignForm: createCampaignForm(context),
    approval: approvalView,
    campaigns: createCampaignList(context),
    history: (viewer, { typed }) => history.view(viewer, history.start({ number: typed }, undefined)),
    conversation,
    refreshHome: createHomeRefresh(context),
    suppressionList: createSuppressionListView(context),
    templates: createTemplateList(context),
  };
  return navigation;
}

/** Renders the outcome of each kind of operation that the features perform. */
export const outcomeRenderers: OutcomeRenderers = {
  'sms.send': describeSms,
  'sms.confirm_stop': describeStop,
  'campaign.test': describeTest,
  ...codeRenderers,
  'sender_id.request': senderIdOutcome.describe,
  ...esimRenderers,
  'contact.add': contactOutcomes.add.describe,
  'contact.upload': contactOutcomes.upload.describe,
  'contact.delete': contactOutcomes.delete.describe,
};
