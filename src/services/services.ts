import type { AccessDecision } from '../domain/access/decision.ts';
import { replyIdentity } from '../domain/replies/reply-identity.ts';
import type { Broadcast } from '../lib/broadcast.ts';
import { createListeners } from '../lib/listeners.ts';
import type { Time } from '../lib/time/clock.ts';
import type { Timers } from '../lib/time/timers.ts';
import type { Provider } from '../provider/client.ts';
import type { Dialect } from '../provider/dialect.ts';
import type { Approval } from '../store/approvals/approvals.ts';
import { wakeTopics } from '../store/jobs/jobs.ts';
import type { Store } from '../store/store.ts';
import { type AccessService, createAccessService } from './access/access.ts';
import { type Approvals, createApprovals } from './approvals/approvals.ts';
import { type AuditService, createAuditService } from './audit/audit-service.ts';
import type { CampaignService } from './campaigns/campaign-service.ts';
import { createCampaignService } from './campaigns/campaign-service.ts';
import type { CampaignLimits } from './campaigns/sending/workspace-workers.ts';
import { type ContactUploads, createContactUploads } from './contacts/contact-uploads.ts';
import { type Contacts, createContacts } from './contacts/contacts.ts';
import { createPhonebookService, type PhonebookService } from './contacts/phonebooks.ts';
import { type BalanceAlerts, createBalanceAlerts } from './costs/balance-alerts.ts';
import { type BalanceChecks, createBalanceChecks } from './costs/balance-checks.ts';
import { type CostMonths, createCostMonths } from './costs/cost-months.ts';
import { type Costs, createCosts } from './costs/costs.ts';
import { createEnteredPrices, type EnteredPrices } from './costs/entered-prices.ts';
import { createErasureService, type ErasureService } from './erasure/erasure-service.ts';
import { createEsimOrders, type EsimOrders } from './esims/esim-orders.ts';
import { createEsimService, type EsimService } from './esims/esims.ts';
import { createHistory, type History } from './history/history.ts';
import { createLastSender } from './history/last-sender.ts';
import { createProviderHistory, type ProviderHistory } from './history/provider-history.ts';
import { type AttentionService, createAttentionService } from './home/attention.ts';
import { createLimits, type Limits } from './limits/limits.ts';
import { createDrafts } from './messages/drafts.ts';
import { createMessageService, type MessageService } from './messages/message-service.ts';
import { createDndChecker, type DndChecker } from './numbers/dnd-check.ts';
import { createNumberLookup, type NumberLookup } from './numbers/number-lookup.ts';
import { createOperations, type Operations } from './operations/operations.ts';
import { createCodeVault } from './otp/code-vault.ts';
import { createOtpService, type OtpService } from './otp/otp-service.ts';
import { createProviderCodes } from './otp/provider-codes.ts';
import { createReplies, type Replies } from './replies/replies.ts';
import type { ReportItems } from './reports/read-reports.ts';
import { createReports, type ReportIntake, type Reports } from './reports/reports.ts';
import { createSenderIdService, type SenderIdService } from './sender-ids/sender-id-service.ts';
import { createOptOutService, type OptOutService } from './suppression-list/opt-out.ts';
import { createReplyAnswers } from './suppression-list/reply-answers.ts';
import { createSuppressionService, type SuppressionService } from './suppression-list/suppression-list.ts';
import { auditWorkspaces } from './workspaces/audited-workspaces.ts';
import { type Claims, createClaims } from './workspaces/claims.ts';
import { createKeptForms, type KeptForms } from './workspaces/kept-forms.ts';
import { createWorkspaces, type Workspaces } from './workspaces/workspaces.ts';

/** Everything a user can do, without Slack. */
export interface Services {
  workspaces: Workspaces;
  keptForms: KeptForms;
  claims: Claims;
  operations: Operations;
  access: AccessService;
  limits: Limits;
  audit: AuditService;
  costs: Costs;
  prices: EnteredPrices;
  costMonths: CostMonths;
  balanceChecks: BalanceChecks;
  balanceAlerts: BalanceAlerts;
  approvals: Approvals;
  home: AttentionService;
  history: History;
  providerHistory: ProviderHistory;
  messages: MessageService;
  campaigns: CampaignService;
  suppressionList: SuppressionService;
  optOut: OptOutService;
  erasure: ErasureService;
  otp: OtpService;
  dndChecker: DndChecker;
  numberLookup: NumberLookup;
  reports: Reports;
  replies: Replies;
  senderIds: SenderIdService;
  phonebooks: PhonebookService;
  contacts: Contacts;
  contactUploads: ContactUploads;
  esims: EsimService;
  esimOrders: EsimOrders;
  /** When it was last noticed that the data had been restored or copied. */
  restoredAt: Date | undefined;
  /** What the provider's profile says, for an admin to see. */
  dialect: Dialect;
  /** Whether text outside the SMS alphabet can be sent: the dialect names the provider's Unicode type. */
  unicode: boolean;
  /** What opt-out links begin with; undefined where campaigns have none. */
  optOutAddress: string | undefined;
  /** Whether contacts can be deleted: the dialect says how a request names the contact. */
  contactDeletion: boolean;
  /** Stops a workspace's campaigns, and deletes everything of it except its audit. */
  forget(workspaceId: string): Promise<void>;
}

export function createServices(options: {
  store: Store;
  provider: Provider;
  broadcast: Broadcast;
  dialect: Dialect;
  campaignLimits: CampaignLimits;
  optOutAddress?: string | undefined;
  /** How the provider’s delivery reports are taken in; undefined where none are. */
  reports?: ReportIntake | undefined;
  time: Time;
  timers: Timers;
  /** Decides what a person may do now. */
  decide: (workspaceId: string, userId: string) => Promise<AccessDecision>;
  /** Called with errors of background work, which no caller waits for. */
  report: (error: unknown) => void;
  /** Called with each operation's kind and final state, for the metrics. */
  ended: (kind: string, state: string) => void;
  /** Called with the recipients of each chunk of a campaign, and the state in which it ended. */
  onRecipients?: ((state: string, recipients: number) => void) | undefined;
  /** Called with the rule of each limit that refuses something. */
  onLimitReached?: ((rule: string) => void) | undefined;
  /** Called with what became of the items of each request with reports. */
  onReportItems?: ((items: ReportItems) => void) | undefined;
}): Services {
  const { store, provider, broadcast, dialect, campaignLimits, time, timers } = options;
  const { decide, report, ended } = options;
  const unicode = dialect.unicodeType !== undefined;
  const { now: clock, elapsed } = time;
  const { updateValue } = store;
  const keyv = (workspaceId: string, area: string) => store.keyv(workspaceId, area);
  const audit = createAuditService({ trail: store.audit, report });
  const { record } = audit;
  const workspaces = auditWorkspaces(
    createWorkspaces({
      keyv,
      provider,
      purge: store.purge,
      async onAccountChange(workspaceId) {
        reports.forget();
        await store.balanceAlerts.forgetJudgement(workspaceId);
      },
      clock,
      elapsed,
      broadcast,
      isAlone: store.instances.isAlone,
      report,
    }),
    audit,
  );
  const limits = createLimits({
    store: store.limits,
    keyv,
    updateValue,
    workspaces,
    audit,
    time,
    report,
    onReached: options.onLimitReached,
  });
  const operations = createOperations({
    ledger: store.ledger,
    keyv,
    account: workspaces.account,
    takeUsage: limits.take,
    refuseOutdated: store.refuseOutdated,
    ended,
  });
  const access = createAccessService({
    roles: store.roles,
    isAlone: store.instances.isAlone,
    broadcast,
    elapsed,
    installer: (workspaceId) => installerOf(workspaceId, store.slackInstallations),
    decide,
  });
  const dndChecker = createDndChecker({ workspaces, takeLookups: limits.takeLookups, record });
  const balanceChecks = createBalanceChecks({
    areOn: dialect.balancePath !== undefined,
    workspaces,
    keyv,
    updateValue,
    clock,
  });
  const prices = createEnteredPrices({ keyv, updateValue, record, clock });
  const costs = createCosts({
    ledger: store.ledger,
    campaigns: store.campaigns,
    store: store.costs,
    workspaces,
    checks: balanceChecks,
    prices,
    accountCurrency: dialect.currency,
    clock,
  });
  const approvals = createApprovals({
    store: store.approvals,
    jobs: store.jobs,
    keyv,
    accountCurrency: dialect.currency,
    time,
    listeners: createListeners<Approval>(report),
    recordChange: (change) =>
      audit.record({ ...change, action: 'settings.change', subject: 'approvals', outcome: 'done' }),
    standing: access.standing,
    subjectOf: (kind) => (kind === 'campaign' ? campaigns.approvals : esimOrders.approvals),
    report,
  });
  const senderIds = createSenderIdService({ workspaces, operations, elapsed, timers });
  const campaigns = createCampaignService({
    campaigns: store.campaigns,
    deliveries: store.deliveries,
    broadcast,
    instances: store.instances,
    workspaces,
    checkDnd: dndChecker.checkDnd,
    activeSenderIds: senderIds.active,
    operations,
    approvals: store.approvals,
    desk: approvals,
    estimate: costs.estimate,
    refuseOutdated: store.refuseOutdated,
    unicode,
    optOutAddress: options.optOutAddress,
    limiter: limits.campaigns,
    limits: campaignLimits,
    standingOf: ({ workspaceId, createdBy }) => access.standing(workspaceId, createdBy, 'campaign'),
    time,
    timers,
    report,
    onChunkEnded(state, recipients) {
      ended('campaign.chunk', state);
      options.onRecipients?.(state, recipients);
    },
  });
  const onRemoved = async (workspaceId: string, ids: readonly string[]) => {
    await campaigns.refresh(workspaceId, ids);
    await approvals.changed();
  };
  const suppressionList = createSuppressionService(store.suppressionList, {
    onRemoved,
    record,
  });
  const esims = createEsimService({ workspaces, broadcast, clock, elapsed, timers });
  const esimOrders = createEsimOrders({
    keyv,
    updateValue,
    esims,
    operations,
    account: workspaces.account,
    approvals: store.approvals,
    desk: approvals,
    limitOf: limits.foreseePurchase,
    arePurchasesOn: async (workspaceId) => (await workspaces.defaults(workspaceId)).esimPurchases,
    clock,
  });

  const history = createHistory(store);
  const codeVaultOptions = { keyv, updateValue, clock };
  const replies = createReplies({
    areOn: options.reports !== undefined,
    store: store.replies,
    ledger: store.ledger,
    keyv,
    record,
    operations,
    workspaces,
    lastSender: createLastSender(history),
    filterListed: suppressionList.filterListed,
    chatChannel: dialect.chatChannel,
    epoch: store.installation.epoch,
    wake: (topic) => store.jobs.wake(wakeTopics[topic], ''),
    clock,
    report,
  });
  const answerReply = createReplyAnswers({ suppressionList, extraWords: replies.settings.words });
  const reports = createReports({
    intake: options.reports,
    addresses: store.reportAddresses,
    deliveries: store.deliveries,
    keyv,
    providerKey: workspaces.providerKey,
    record,
    broadcast,
    defaults: workspaces.defaults,
    onItems: options.onReportItems,
    // A stop counts before anything else is done for its number.
    async takeReply(workspaceId, reported) {
      const reply = { ...reported, identity: replyIdentity(reported, clock()) };
      await replies.take(workspaceId, reply, await answerReply(workspaceId, reply));
    },
    wake: () => store.jobs.wake(wakeTopics.deliveries, ''),
    timers,
    time,
  });

  /** What this instance has of a workspace that is deleted. */
  function dropWorkspace(workspaceId: string): void {
    campaigns.stopWorkspace(workspaceId);
    workspaces.forget(workspaceId);
    access.forget(workspaceId);
    reports.forget();
    store.forgetCached(workspaceId);
  }
  // Where one was missed, the rest goes on: a deleted workspace has nothing left to send.
  broadcast.on('forget', (workspaceId) => {
    if (workspaceId === undefined) {
      store.forgetCached();
    } else {
      dropWorkspace(workspaceId);
    }
  });

  return {
    workspaces,
    keptForms: createKeptForms({ keyv, updateValue }),
    claims: createClaims({ keyv, updateValue, timers }),
    operations,
    access,
    limits,
    audit,
    costs,
    prices,
    costMonths: createCostMonths({ store: store.costs, currencyAt: costs.currencyAt, clock }),
    balanceChecks,
    balanceAlerts: createBalanceAlerts({
      store: store.balanceAlerts,
      costs,
      checks: balanceChecks,
      record,
      clock,
      report,
    }),
    approvals,
    home: createAttentionService({
      ledger: store.ledger,
      campaigns: store.campaigns,
      workspaces,
      approvals: store.approvals,
      keyRotation: store.keyRotation,
      clock,
    }),
    history,
    providerHistory: createProviderHistory({
      isOn: dialect.historyPath !== undefined,
      history,
      deliveries: store.deliveries,
      openMessages: store.openMessages,
      wake: () => store.jobs.wake(wakeTopics.deliveries, ''),
      workspaces,
      takeLookups: limits.takeLookups,
    }),
    messages: createMessageService({
      drafts: createDrafts(keyv),
      operations,
      texts: store.ledger.texts,
      workspaces,
      unicode,
      checkDnd: dndChecker.checkDnd,
      filterSuppressed: suppressionList.filterListed,
      rulesOff: workspaces.rulesOff,
      knownSenderIds: senderIds.knownActive,
      clock,
      timers,
    }),
    campaigns,
    suppressionList,
    optOut: createOptOutService({ campaigns: store.campaigns, suppressionList }),
    erasure: createErasureService({
      erasure: store.erasure,
      instances: store.instances,
      keyv,
      audit,
      purge: store.purge,
      onRemoved,
    }),
    otp: createOtpService({
      workspaces,
      operations,
      codeVault: createCodeVault(codeVaultOptions),
      providerCodes: createProviderCodes(codeVaultOptions),
      verifiesProviderCodes: dialect.tokenVerifyPath !== undefined,
      clock,
      report,
    }),
    dndChecker,
    reports,
    replies,
    numberLookup: createNumberLookup({ workspaces, takeLookups: limits.takeLookups, clock, timers, record }),
    senderIds,
    phonebooks: createPhonebookService({
      keyv,
      workspaces,
      record,
      canChoose: dialect.phonebooksPath !== undefined,
      elapsed,
      timers,
    }),
    contacts: createContacts({ workspaces, operations, broadcast, elapsed }),
    contactUploads: createContactUploads({ keyv, operations }),
    esims,
    esimOrders,
    restoredAt: store.installation.restoredAt,
    dialect,
    unicode,
    optOutAddress: options.optOutAddress,
    contactDeletion: dialect.contactDeleteBy !== undefined,
    async forget(workspaceId) {
      dropWorkspace(workspaceId);
      broadcast.send('forget', workspaceId);
      await store.forget(workspaceId);
      // What was read in the meantime.
      dropWorkspace(workspaceId);
      broadcast.send('forget', workspaceId);
    },
  };
}

/** Returns who installed the app in a workspace, or in its whole enterprise; undefined with a bot token as a setting. */
async function installerOf(
  workspaceId: string,
  { find, enterpriseOf }: Store['slackInstallations'],
): Promise<string | undefined> {
  const own = await find(workspaceId);
  if (own !== undefined) {
    return own.installedBy;
  }
  const enterpriseId = await enterpriseOf(workspaceId);
  return enterpriseId === undefined ? undefined : (await find(enterpriseId))?.installedBy;
}
