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
import { testRenderer } from './campaigns/preview/preflight.ts';
import { registerContacts } from './contacts/contacts.ts';
import { contactOutcomes } from './contacts/outcomes.ts';
import { registerCosts } from './costs/balance.ts';
import { registerErasure } from './erasure.ts';
import { registerEsims } from './esims/listeners.ts';
import { createPlanOffers } from './esims/offers.ts';
import { esimRenderers } from './esims/orders.ts';
import { createMaskedStatus, registerEsimStatus } from './esims/status.ts';
import { historyOf, lastSentTo, registerHistory, sendHistoryTable } from './history/listeners.ts';
import { registerHome } from './home/home.ts';
import { registerLimits } from './limits.ts';
import { createMessageForm } from './messages/compose.ts';
import { createMessageDraft, registerSms } from './messages/listeners.ts';
import { smsRenderer } from './messages/outcome-view.ts';
import { createMessageReview } from './messages/review.ts';
import { createMaskedCheck, registerDndCheck } from './numbers/dnd-check.ts';
import { createMaskedCard, createNumberCard } from './numbers/look-up.ts';
import { registerNumber } from './numbers/number.ts';
import { codeRenderers, registerOtp } from './otp/send.ts';
import { createReplyForm, registerReplies } from './replies/listeners.ts';
import { stopRenderer } from './replies/thread-view.ts';
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
    checkNumbers: createMaskedCheck(context),
    numberCard: createMaskedCard(context),
    campaignProgress: createCampaignProgress(context),
    campaignDraft: createCampaignDraft(context),
    esimStatus: createMaskedStatus(context),
    ...createPlanOffers(context),
    messageDraft: createMessageDraft(context),
  };
  for (const tool of [...readTools(context, toolContent), ...draftTools(context, toolContent)]) {
    router.tool(tool);
  }
  return context;
}

function createNavigation(context: Omit<AppContext, 'navigation'>): Navigation {
  const sentTo: Navigation['sentTo'] = (viewer, number) => lastSentTo(context, viewer, number);
  const messageReview = createMessageReview(context);
  return {
    messageForm: createMessageForm(context),
    messageReview,
    replyForm: createReplyForm({ ...context, navigation: { messageReview } }),
    numberCard: createNumberCard({ ...context, navigation: { sentTo } }),
    campaignForm: createCampaignForm(context),
    approval: approvalView,
    campaigns: createCampaignList(context),
    history: (viewer, search) => historyOf(context, viewer, search),
    sentTo,
    sendHistory: (viewer, send) => sendHistoryTable(context, viewer, send),
    suppressionList: createSuppressionListView(context),
    templates: createTemplateList(context),
  };
}

/** Renders the outcome of each kind of operation that the features perform. */
export const outcomeRenderers: OutcomeRenderers = {
  'sms.send': smsRenderer,
  'sms.confirm_stop': stopRenderer,
  'campaign.test': testRenderer,
  ...codeRenderers,
  'sender_id.request': senderIdOutcome.renderer,
  ...esimRenderers,
  'contact.add': contactOutcomes.add.renderer,
  'contact.upload': contactOutcomes.upload.renderer,
  'contact.delete': contactOutcomes.delete.renderer,
};
