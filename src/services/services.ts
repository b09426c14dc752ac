import type { PhoneNumber } from '../domain/phone/phone-number.ts';
import { type AccessDeps, type AccessService, createAccessService } from './access/access.ts';
import { type ApprovalSubject, createApprovals } from './approvals/approvals.ts';
import { type CampaignService, createCampaignService } from './campaigns/campaign-service.ts';
import { createContactNames } from './contacts/contact-names.ts';
import { createContactUploads } from './contacts/contact-uploads.ts';
import { createContacts } from './contacts/contacts.ts';
import { createPhonebookService } from './contacts/phonebooks.ts';
import type { Context } from './context.ts';
import { createBalanceChecks } from './costs/balance.ts';
import { createCostMonths, createCosts } from './costs/costs.ts';
import { createEnteredPrices } from './costs/entered-prices.ts';
import { createErasureService, erasedAreas } from './erasure/erasure-service.ts';
import { createEsimOrders } from './esims/esim-orders.ts';
import { createEsimService } from './esims/esims.ts';
import { createHistory } from './history/history.ts';
import { createProviderHistory } from './history/provider-history.ts';
import { createUnknownStatuses } from './history/unknown-statuses.ts';
import { createAttentionService } from './home/attention.ts';
import { createSetup } from './home/setup.ts';
import { createLimits } from './limits/limits.ts';
import { createMessageService } from './messages/message-service.ts';
import { createDndChecker, createNumberLookup } from './numbers/number-lookup.ts';
import { createOperations } from './operations/operations.ts';
import { createOtpService } from './otp/otp-service.ts';
import { createReplies } from './replies/replies.ts';
import { createReports, type Reports } from './reports/reports.ts';
import { createSenderIdService } from './sender-ids/sender-id-service.ts';
import { createSendingFacts } from './sender-ids/sending-facts.ts';
import { createOptOutService, createSuppressionService } from './suppression-list/suppression-list.ts';
import { createTemplates } from './templates/templates.ts';
import { createWatchers } from './watch/watchers.ts';
import { createOnce } from './workspaces/once.ts';
import { createSavedForms } from './workspaces/saved-forms.ts';
import { createWorkspaces, type Workspaces } from './workspaces/workspaces.ts';

/** Everything a user can do, without Slack. */
export type Services = ReturnType<typeof createServices>;

export function createServices(
  context: Context,
  {
    decide,
    maxCampaignRequests,
  }: AccessDeps & {
    /** The most requests in flight of one workspace's campaigns together, of this instance. */
    maxCampaignRequests: number;
  },
) {
  const { settings, store, dialect, audit } = context;
  const workspaces = createWorkspaces(context);
  const limits = createLimits(context, { workspaces });
  const operations = createOperations(context, { workspaces, limits });
  const access = createAccessService(context, { decide });
  const dndChecker = createDndChecker(context, { workspaces, limits });
  const checks = createBalanceChecks(context, { workspaces });
  const prices = createEnteredPrices(context);
  const costs = createCosts(context, { workspaces, checks, prices });
  const approvals = createApprovals(context, {
    access,
    // Both ask for approvals, and are made after this.
    subjects: {
      get campaign(): ApprovalSubject {
        return campaigns.approvals;
      },
      get esim(): ApprovalSubject {
        return esimOrders.approvals;
      },
    },
  });
  const senderIds = createSenderIdService(context, { workspaces, operations });
  const sendingFacts = createSendingFacts({ senderIds });
  const savedForms = createSavedForms(context);
  const campaigns = createCampaignService(context, {
    workspaces,
    access,
    limits,
    operations,
    approvals,
    senderIds,
    sendingFacts,
    dndChecker,
    costs,
    savedForms,
    maxRequests: maxCampaignRequests,
  });
  const phonebooks = createPhonebookService(context, { workspaces });
  const contacts = createContacts(context, { workspaces, operations });
  const suppressionList = createSuppressionService(context, { campaigns });
  const esims = createEsimService(context, { workspaces });
  const esimOrders = createEsimOrders(context, { esims, operations, workspaces, limits, approvals });
  const history = createHistory(context);
  const replies = createReplies(context, { workspaces, operations, suppressionList, history });
  const unknownStatuses = createUnknownStatuses(context);
  const reports = createReports(context, { workspaces, replies, unknownStatuses });
  const watchers = createWatchers(context, { workspaces, costs, checks });

  return {
    workspaces,
    savedForms,
    once: createOnce(context),
    operations,
    access,
    limits,
    audit,
    costs,
    prices,
    costMonths: createCostMonths(context, costs),
    balanceChecks: checks,
    watchers,
    approvals,
    home: createAttentionService(context, { workspaces }),
    setup: createSetup(context, { workspaces, prices, reports, replies }),
    history,
    providerHistory: createProviderHistory(context, { history, workspaces, limits, unknownStatuses }),
    messages: createMessageService(context, {
      operations,
      workspaces,
      dndChecker,
      senderIds,
      sendingFacts,
    }),
    campaigns,
    suppressionList,
    templates: createTemplates(context, { senderIds }),
    optOut: createOptOutService(context, { suppressionList }),
    erasure: createErasureService(context, { campaigns }),
    /** Yields everything that is stored of a person in a workspace: what an erasure would find, and the audit. */
    holdings: (workspaceId: string, number: PhoneNumber) =>
      context.store.holdings({ workspaceId, number, areas: erasedAreas }),
    otp: createOtpService(context, { workspaces, operations, savedForms, sendingFacts }),
    dndChecker,
    reports,
    replies,
    numberLookup: createNumberLookup(context, { workspaces, limits }),
    senderIds,
    phonebooks,
    contacts,
    contactNames: createContactNames(context, { contacts, phonebooks }),
    contactUploads: createContactUploads(context, { operations }),
    esims,
    esimOrders,
    /** When it was last noticed that the data had been restored or copied. */
    restoredAt: store.installation.restoredAt,
    /** What the provider's profile says, for an admin to see. */
    dialect,
    /** Whether text outside the SMS alphabet can be sent: the dialect names the provider's Unicode type. */
    unicode: dialect.unicodeType !== undefined,
    /** The beginning of opt-out links; undefined if campaigns have no such link. */
    optOutAddress: settings.optOutAddress,
    /** Whether contacts can be deleted: the dialect says how a request names the contact. */
    contactDeletion: dialect.contactDeleteBy !== undefined,
    forget: createForget(context, { campaigns, workspaces, access, reports }),
  };
}

/** Returns a function that stops a workspace's campaigns, and deletes everything of it except its audit. */
function createForget(
  { store, broadcast }: Context,
  {
    campaigns,
    workspaces,
    access,
    reports,
  }: { campaigns: CampaignService; workspaces: Workspaces; access: AccessService; reports: Reports },
): (workspaceId: string) => Promise<void> {
  /** Drops what this instance has of a workspace that is deleted. */
  function drop(workspaceId: string): void {
    campaigns.stopWorkspace(workspaceId);
    workspaces.forget(workspaceId);
    access.forget(workspaceId);
    reports.forget();
    store.forgetCached(workspaceId);
  }
  // Where a broadcast was missed, the rest goes on: a deleted workspace has nothing left to send.
  broadcast.on('forget', (workspaceId) => {
    if (workspaceId === undefined) {
      store.forgetCached();
    } else {
      drop(workspaceId);
    }
  });

  return async (workspaceId) => {
    drop(workspaceId);
    broadcast.send('forget', workspaceId);
    await store.forget(workspaceId);
    // What was read in the meantime.
    drop(workspaceId);
    broadcast.send('forget', workspaceId);
  };
}
